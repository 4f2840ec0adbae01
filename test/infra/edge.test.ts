import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { CachePolicy } from 'aws-cdk-lib/aws-cloudfront';
import { ENDPOINTS } from '../../functions/index.ts';
import { edgeRequestCode } from '../../infra/edge-function.ts';
import { openApiDocument } from '../../infra/openapi.ts';
import { createHandler, type Endpoint } from '../../lib/endpoint.ts';
import { prefersCsv } from '../../lib/http/csv.ts';
import type { Request } from '../../lib/http/message.ts';
import { send } from '../support/events.ts';
import { type Json, type Synthesized, siteFiles, synthesize } from '../support/stack.ts';
import { recordingTelemetry } from '../support/telemetry.ts';

/** CloudFront and the firewalls: what is in the template, and what the function does with requests. */

// Each template takes a second or more.
const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef';

let stack: Synthesized;
let distribution: Json;
beforeAll(async () => {
  stack = await synthesize();
  distribution = stack.ofType('AWS::CloudFront::Distribution')[0].Properties.DistributionConfig;
});

const originOf = ({ TargetOriginId }: Json) => distribution.Origins.find(({ Id }: Json) => Id === TargetOriginId);

describe('the distribution', () => {
  test('leads to the API, and to the bucket for each page and all assets', async () => {
    const api = originOf(distribution.DefaultCacheBehavior);
    expect(JSON.stringify(api.DomainName)).toContain('execute-api');
    expect(JSON.stringify(api.OriginPath)).toContain('Stage');
    const fromBucket = distribution.CacheBehaviors.filter((behavior: Json) => originOf(behavior) !== api);
    const patterns = fromBucket.map(({ PathPattern }: Json) => PathPattern);
    const pages = (await siteFiles()).map(({ path }) => path).filter((path) => !path.startsWith('assets/'));
    expect(patterns.sort()).toEqual([...pages, 'assets/*'].sort());
    for (const behavior of fromBucket) {
      expect(originOf(behavior).OriginAccessControlId).toBeDefined();
      expect(originOf(behavior).S3OriginConfig).toEqual({ OriginAccessIdentity: '' });
    }
  });

  test('speaks HTTP/3, compresses, takes every method to answer it as the API does, and sends to https', () => {
    expect(distribution.HttpVersion).toBe('http2and3');
    // Else one machine has more addresses than the firewall can count.
    expect(distribution.IPV6Enabled).toBe(false);
    for (const behavior of [distribution.DefaultCacheBehavior, ...distribution.CacheBehaviors]) {
      expect(behavior).toMatchObject({ Compress: true, ViewerProtocolPolicy: 'redirect-to-https' });
      expect(behavior.AllowedMethods).toHaveLength(7);
      expect(behavior.FunctionAssociations).toEqual([expect.objectContaining({ EventType: 'viewer-request' })]);
    }
  });

  test('keeps nothing of what would be a lie when it is old: it sends what it has kept whenever the API fails', () => {
    const api = originOf(distribution.DefaultCacheBehavior);
    const notKept = distribution.CacheBehaviors.filter((behavior: Json) => originOf(behavior) === api);
    const momentary = Object.values(ENDPOINTS).filter((endpoint: Endpoint) => endpoint.momentary);
    expect(notKept.map(({ PathPattern }: Json) => PathPattern)).toEqual(momentary.map(({ path }) => `${path}*`));
    expect(momentary.map(({ path }) => path)).toContain('/health');
    for (const { CachePolicyId } of notKept) expect(CachePolicyId).toBe(CachePolicy.CACHING_DISABLED.cachePolicyId);
  });

  test('takes a domain of one’s own with TLS 1.2 and later', async () => {
    const { template } = await synthesize({ domain: 'api.example.org', certificate });
    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        Aliases: ['api.example.org'],
        ViewerCertificate: Match.objectLike({
          AcmCertificateArn: certificate,
          MinimumProtocolVersion: 'TLSv1.2_2021',
          SslSupportMethod: 'sni-only',
        }),
      },
    });
  });

  test('keeps errors no longer than the API says', () => {
    const kept = distribution.CustomErrorResponses;
    expect(kept.map(({ ErrorCode }: Json) => ErrorCode)).toEqual(expect.arrayContaining([404, 500, 502, 503, 504]));
    for (const { ErrorCachingMinTTL, ResponsePagePath } of kept) {
      expect([ErrorCachingMinTTL, ResponsePagePath]).toEqual([0, undefined]);
    }
  });

  test('keys the API on path, query and Accept, and keeps what Cache-Control lets it keep', () => {
    const policyOf = (behavior: Json) => stack.resources[behavior.CachePolicyId.Ref].Properties.CachePolicyConfig;
    expect(policyOf(distribution.DefaultCacheBehavior)).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      // No less than `stale-if-error`, which would be cut to it.
      MaxTTL: 86_400,
      ParametersInCacheKeyAndForwardedToOrigin: {
        CookiesConfig: { CookieBehavior: 'none' },
        HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['Accept'] },
        QueryStringsConfig: { QueryStringBehavior: 'all' },
        EnableAcceptEncodingGzip: true,
        EnableAcceptEncodingBrotli: true,
      },
    });
    const { ParametersInCacheKeyAndForwardedToOrigin: key } = policyOf(distribution.CacheBehaviors.at(-1));
    expect(key).toMatchObject({
      HeadersConfig: { HeaderBehavior: 'none' },
      QueryStringsConfig: { QueryStringBehavior: 'none' },
    });
  });

  test('adds security headers to everything', () => {
    for (const behavior of [distribution.DefaultCacheBehavior, ...distribution.CacheBehaviors]) {
      const { ResponseHeadersPolicyConfig } = stack.resources[behavior.ResponseHeadersPolicyId.Ref].Properties;
      expect(ResponseHeadersPolicyConfig).toMatchObject({
        SecurityHeadersConfig: {
          StrictTransportSecurity: { AccessControlMaxAgeSec: 63_072_000, IncludeSubdomains: true },
          ContentTypeOptions: { Override: true },
          FrameOptions: { FrameOption: 'DENY' },
        },
        CorsConfig: { AccessControlAllowOrigins: { Items: ['*'] }, OriginOverride: false },
      });
    }
  });

  test('logs neither addresses nor queries, for a month', () => {
    const [{ Properties }] = stack.ofType('AWS::Logs::Delivery');
    expect(Properties.RecordFields).toEqual(expect.arrayContaining(['cs-uri-stem', 'sc-status', 'x-edge-result-type']));
    expect(Properties.RecordFields.join(' ')).not.toMatch(/c-ip|forwarded|query|Agent|Referer|Cookie/);
    expect(distribution.Logging).toBeUndefined();
    expect(stack.named('EdgeLogs').Properties.RetentionInDays).toBe(30);
  });
});

describe('the bucket', () => {
  test('is private, and read by this distribution alone', () => {
    const [{ Properties: bucket }] = stack.ofType('AWS::S3::Bucket');
    expect(Object.values(bucket.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
    const [{ Properties: policy }] = stack.ofType('AWS::S3::BucketPolicy');
    const readers = policy.PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Allow');
    for (const { Principal, Condition } of readers) {
      expect(Principal).toEqual({ Service: 'cloudfront.amazonaws.com' });
      expect(JSON.stringify(Condition.StringEquals['AWS:SourceArn'])).toMatch(/distribution\/.*Edge/);
    }
    // With the second a missing file is a 404; without, a 403.
    expect(readers.flatMap(({ Action }: Json) => Action)).toEqual(['s3:GetObject', 's3:ListBucket']);
  });

  test('is given every file with its headers', async () => {
    const [{ Properties }] = stack.ofType('Custom::Pages');
    const files = await siteFiles();
    expect(Properties.Files.map(({ Source: _, ...file }: Json) => file)).toEqual(
      files.map(({ path, headers }) => ({
        Key: path,
        ContentType: headers['Content-Type'],
        CacheControl: headers['Cache-Control'],
      })),
    );
  });
});

describe('without an edge', () => {
  test('pages are routes of the API, with the methods of the API', async () => {
    const { ofType, resources } = await synthesize({ edge: 'off' });
    expect(ofType('AWS::CloudFront::Distribution')).toEqual([]);
    expect(ofType('AWS::S3::Bucket')).toEqual([]);
    const pathOf = (id: string): string => {
      const { ParentId, PathPart } = resources[id].Properties;
      return `${ParentId.Ref ? pathOf(ParentId.Ref) : ''}/${PathPart}`;
    };
    const methods = ofType('AWS::ApiGateway::Method').map(({ Properties }) => Properties);
    const nameOf = ({ HttpMethod, ResourceId }: Json) =>
      `${HttpMethod} ${ResourceId.Ref ? pathOf(ResourceId.Ref) : '/'}`;
    const files = await siteFiles();
    expect(methods.map(nameOf).sort()).toEqual(
      [
        ...Object.values(ENDPOINTS).map(({ path }) => `ANY ${path}`),
        ...files.flatMap(({ path }) => ['GET', 'HEAD', 'ANY'].map((method) => `${method} /${path}`)),
      ].sort(),
    );
    const others = methods.filter(({ Integration }) => Integration.Type === 'MOCK');
    expect(others).toHaveLength(files.length);
    for (const { Integration } of others) {
      const [refused, allowed] = Integration.IntegrationResponses;
      expect(JSON.parse(refused.ResponseTemplates['application/json'])).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
      expect(refused.ResponseParameters['method.response.header.Allow']).toBe("'GET,HEAD,OPTIONS'");
      expect(allowed).toMatchObject({ StatusCode: '204', SelectionPattern: '204' });
      // The API takes every type for binary, of which API Gateway makes no template.
      expect(ofType('AWS::ApiGateway::RestApi')[0].Properties.BinaryMediaTypes).toEqual(['*/*']);
      for (const part of [Integration, refused, allowed]) expect(part.ContentHandling).toBe('CONVERT_TO_TEXT');
    }
    const name = 'method.response.header.Cache-Control';
    const headers = methods
      .filter(({ HttpMethod }) => HttpMethod === 'GET')
      .map(({ Integration }) => Integration.IntegrationResponses[0].ResponseParameters);
    const hashed = files.filter(({ path }) => path.startsWith('assets/'));
    expect(headers.filter((of) => of[name] === "'public, max-age=31536000, immutable'")).toHaveLength(hashed.length);
    for (const of of headers) expect(of['method.response.header.X-Content-Type-Options']).toBe("'nosniff'");
  });
});

describe('the firewalls', () => {
  const ruleOf = (acl: Json, name: string) => acl.Properties.Rules.find(({ Name }: Json) => Name === name);
  const aclOf = (from: Synthesized, reach: string) =>
    from.ofType('AWS::WAFv2::WebACL').find(({ Properties }) => Properties.Scope === reach);

  const expectLimitedLists = (acl: Json) => {
    const { Limit, ScopeDownStatement } = ruleOf(acl, 'lists-per-address').Statement.RateBasedStatement;
    expect(Limit).toBe(300);
    const list = new RegExp(ScopeDownStatement.RegexMatchStatement.RegexString);
    const paths = [
      '/minipools',
      '/stakers/',
      '/prod/validators',
      '/withdrawals',
      '/minipools/0x12',
      '/minipools/x/activity',
    ];
    expect(paths.filter((path) => list.test(path))).toEqual(paths.slice(0, 4));
  };

  test('what is counted by its path is, however that is spelled', () => {
    for (const name of ['assets-per-address', 'lists-per-address']) {
      const [match] = Object.values<Json>(
        ruleOf(aclOf(stack, 'CLOUDFRONT'), name).Statement.RateBasedStatement.ScopeDownStatement,
      );
      expect(match.TextTransformations).toEqual([{ Priority: 0, Type: 'URL_DECODE' }]);
    }
  });

  test('the edge’s counts each client, the API’s those who come past the edge', () => {
    expect(ruleOf(aclOf(stack, 'CLOUDFRONT'), 'per-address').Statement.RateBasedStatement).toEqual({
      AggregateKeyType: 'IP',
      Limit: 3_000,
    });
    const assets = ruleOf(aclOf(stack, 'CLOUDFRONT'), 'assets-per-address').Statement.RateBasedStatement;
    expect(assets).toMatchObject({
      Limit: 100,
      ScopeDownStatement: { ByteMatchStatement: { PositionalConstraint: 'STARTS_WITH', SearchString: '/assets/' } },
    });
    expectLimitedLists(aclOf(stack, 'CLOUDFRONT'));
    const { ScopeDownStatement, ...rate } = ruleOf(aclOf(stack, 'REGIONAL'), 'per-address').Statement
      .RateBasedStatement;
    expect(rate).toEqual({ AggregateKeyType: 'IP', Limit: 300 });
    const { FieldToMatch, PositionalConstraint, SearchString } =
      ScopeDownStatement.NotStatement.Statement.ByteMatchStatement;
    expect([FieldToMatch, PositionalConstraint]).toEqual([{ SingleHeader: { Name: 'x-origin-key' } }, 'EXACTLY']);
    const [header] = originOf(distribution.DefaultCacheBehavior).OriginCustomHeaders;
    expect(header).toEqual({ HeaderName: 'x-origin-key', HeaderValue: SearchString });
    // Made by AWS, and put in by CloudFormation: it stands in no template.
    expect(JSON.stringify(SearchString)).toContain('{{resolve:secretsmanager:');
    expect(distribution.WebACLId).toBeDefined();
  });

  test('without an edge every address has the limit of the edge, and there is no key', async () => {
    const without = await synthesize({ edge: 'off' });
    expect(ruleOf(aclOf(without, 'REGIONAL'), 'per-address').Statement.RateBasedStatement).toEqual({
      AggregateKeyType: 'IP',
      Limit: 3_000,
    });
    expectLimitedLists(aclOf(without, 'REGIONAL'));
    expect(aclOf(without, 'CLOUDFRONT')).toBeUndefined();
    expect(without.ofType('AWS::SecretsManager::Secret')).toEqual([]);
  });

  test('direct=off closes the API to those without the key', async () => {
    expect(ruleOf(aclOf(stack, 'REGIONAL'), 'edge-only')).toBeUndefined();
    const rule = ruleOf(aclOf(await synthesize({ direct: 'off' }), 'REGIONAL'), 'edge-only');
    expect(rule.Priority).toBe(0);
    expect(rule.Statement.NotStatement.Statement.ByteMatchStatement.PositionalConstraint).toBe('EXACTLY');
    expect(rule.Action.Block.CustomResponse.ResponseCode).toBe(403);
  });

  test.each(['CLOUDFRONT', 'REGIONAL'])('%s: who is limited gets a 429 that says when to come back', (reach) => {
    const acl = aclOf(stack, reach);
    const { ResponseCode, ResponseHeaders, CustomResponseBodyKey } = ruleOf(acl, 'per-address').Action.Block
      .CustomResponse;
    const headers = Object.fromEntries(ResponseHeaders.map(({ Name, Value }: Json) => [Name, Value]));
    expect(ResponseCode).toBe(429);
    expect(headers).toMatchObject({
      'Retry-After': '60',
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'no-store',
    });
    const { ContentType, Content } = acl.Properties.CustomResponseBodies[CustomResponseBodyKey];
    expect(ContentType).toBe('APPLICATION_JSON');
    expect(JSON.parse(Content)).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
  });

  test('who is blocked can be looked up', () => {
    for (const { Properties } of stack.ofType('AWS::WAFv2::WebACL')) {
      for (const { VisibilityConfig } of [Properties, ...Properties.Rules]) {
        expect(VisibilityConfig.SampledRequestsEnabled).toBe(true);
      }
    }
  });

  test('AWS’s lists stand before the API', () => {
    const { ManagedRuleGroupStatement } = ruleOf(aclOf(stack, 'REGIONAL'), 'common').Statement;
    expect(ManagedRuleGroupStatement.Name).toBe('AWSManagedRulesCommonRuleSet');
    stack.template.resourceCountIs('AWS::WAFv2::WebACLAssociation', 1);
  });
});

describe('the function of the edge', () => {
  const handler: (event: Json) => Json = runInNewContext(`${edgeRequestCode()}\nhandler`);
  const ask = (method: string, uri: string, querystring: Json = {}, headers: Json = {}) =>
    structuredClone(
      handler({ context: { requestId: 'r-1' }, request: { method, uri, querystring, headers: { ...headers } } }),
    );
  const value = (text: string) => ({ value: text });

  test('fits CloudFront’s limit', () => {
    expect(Buffer.byteLength(edgeRequestCode())).toBeLessThan(10_240);
  });

  test('leaves only parameters that an endpoint knows, in order', () => {
    const { querystring } = ask('GET', '/stakers', {
      x: value('1'),
      order: value('asc'),
      limit: value('5'),
      utm: value(''),
    });
    expect(Object.entries(querystring)).toEqual([
      ['limit', value('5')],
      ['order', value('asc')],
    ]);
  });

  test('knows every query parameter of the reference', () => {
    const { paths } = openApiDocument() as Json;
    const names = Object.values<Json>(paths).flatMap(({ get }) =>
      (get.parameters ?? []).filter((parameter: Json) => parameter.in === 'query').map(({ name }: Json) => name),
    );
    expect(names.length).toBeGreaterThan(10);
    const { querystring } = ask('GET', '/', Object.fromEntries(names.map((name) => [name, value('1')])));
    expect(Object.keys(querystring)).toEqual([...new Set(names)].sort());
  });

  test('keeps a parameter that is given twice, which the API refuses', () => {
    const twice = { value: '1', multiValue: [value('1'), value('2')] };
    expect(ask('GET', '/stakers', { limit: twice }).querystring).toEqual({ limit: twice });
  });

  test.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['text/csv', 'text/csv'],
    ['application/json, text/csv;q=0.5', 'application/json'],
    ['text/csv;q=0.5, application/json', 'application/json'],
    ['application/json;q=0.5, Text/CSV', 'text/csv'],
    ['text/csv;q=0.2, */*', 'application/json'],
    ['text/csv, application/*;q=0.9, */*', 'text/csv'],
    ['text/csv;q=0', 'application/json'],
    ['*/*', 'application/json'],
    ['image/avif', 'application/json'],
    [undefined, 'application/json'],
  ])('Accept %s is %s', (accept, expected) => {
    const headers = accept === undefined ? {} : { accept: value(accept) };
    expect(ask('GET', '/', {}, headers).headers.accept).toEqual(value(expected));
    // The API answers the same behind the edge as before it.
    const request = { headers: { accept } } as unknown as Request;
    expect(prefersCsv(request)).toBe(expected === 'text/csv');
  });

  test('leads from a page with a slash behind it to the page, with its query', () => {
    const answer = ask('GET', '/docs/guide/', { address: value('0x1'), rate: value('7d') });
    expect([answer.statusCode, answer.headers.location]).toEqual([301, value('/docs/guide?address=0x1&rate=7d')]);
    expect(ask('GET', '/dashboard/').headers.location).toEqual(value('/dashboard'));
    expect(ask('GET', '/dashboard').uri).toBe('/dashboard');
  });

  test('one path has one key', () => {
    expect(ask('GET', '/prices/').uri).toBe('/prices');
    expect(ask('HEAD', '/').uri).toBe('/');
  });

  test.each(['POST', 'OPTIONS'])('answers %s as the API does, on any path', async (method) => {
    const runtime = { telemetry: recordingTelemetry(), context: () => Promise.reject(new Error('not asked')) };
    const { status, headers, body } = await send(createHandler(ENDPOINTS.prices as Endpoint, runtime), { method });
    const answer = ask(method, '/docs');
    expect(answer.statusCode).toBe(status);
    const sent = Object.entries(headers).map(([name, text]) => [name.toLowerCase(), value(String(text))]);
    const ours = Object.fromEntries(sent.filter(([name]) => !['x-request-id', 'content-type'].includes(String(name))));
    expect(answer.headers).toMatchObject(ours);
    if (method === 'POST') {
      const { requestId: _, ...problem } = body as Json;
      expect(JSON.parse(answer.body)).toEqual({ ...problem, requestId: 'r-1' });
      expect(answer.headers['x-request-id']).toEqual(value('r-1'));
      expect(answer.headers['content-type']).toEqual(value('application/problem+json'));
    }
  });
});
