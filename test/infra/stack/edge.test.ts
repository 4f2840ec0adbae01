import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { CachePolicy } from 'aws-cdk-lib/aws-cloudfront';
import { ENDPOINTS } from '../../../functions/index.ts';
import { openApiDocument } from '../../../infra/site/openapi.ts';
import { edgeRequestCode } from '../../../infra/stack/edge-function.ts';
import type { Endpoint } from '../../../lib/api/definition.ts';
import { createHandler } from '../../../lib/api/endpoint.ts';
import type { Request } from '../../../lib/api/http/message.ts';
import { prefersCsv } from '../../../lib/api/http/negotiation.ts';
import { send } from '../../support/events.ts';
import { type Json, type Synthesized, siteFiles, synthesize } from '../../support/stack.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';

/** CloudFront and the firewalls in the template, and the function that CloudFront runs for each request. */

const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef';

// Shared by most tests, because each synthesis takes a second or more.
let stack: Synthesized;
let distribution: Json;
beforeAll(async () => {
  stack = await synthesize();
  distribution = stack.ofType('AWS::CloudFront::Distribution')[0].Properties.DistributionConfig;
});

const originOf = ({ TargetOriginId }: Json) => distribution.Origins.find(({ Id }: Json) => Id === TargetOriginId);

describe('the distribution', () => {
  test('routes pages and assets to the bucket, and everything else to the API', async () => {
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

  test('supports HTTP/3, compresses, redirects to HTTPS, and runs the function for every method', () => {
    expect(distribution.HttpVersion).toBe('http2and3');
    // With IPv6, one machine could have more addresses than the firewall can count.
    expect(distribution.IPV6Enabled).toBe(false);
    for (const behavior of [distribution.DefaultCacheBehavior, ...distribution.CacheBehaviors]) {
      expect(behavior).toMatchObject({ Compress: true, ViewerProtocolPolicy: 'redirect-to-https' });
      expect(behavior.AllowedMethods).toHaveLength(7);
      expect(behavior.FunctionAssociations).toEqual([expect.objectContaining({ EventType: 'viewer-request' })]);
    }
  });

  test('does not cache endpoints whose old responses would be false, because it serves those if the API fails', () => {
    const api = originOf(distribution.DefaultCacheBehavior);
    const uncached = distribution.CacheBehaviors.filter((behavior: Json) => originOf(behavior) === api);
    const momentary = Object.values(ENDPOINTS).filter((endpoint: Endpoint) => endpoint.momentary);
    expect(uncached.map(({ PathPattern }: Json) => PathPattern)).toEqual(momentary.map(({ path }) => `${path}*`));
    expect(momentary.map(({ path }) => path)).toContain('/health');
    for (const { CachePolicyId } of uncached) expect(CachePolicyId).toBe(CachePolicy.CACHING_DISABLED.cachePolicyId);
  });

  test('supports a custom domain, with TLS 1.2 and later', async () => {
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

  test('caches errors no longer than the API allows', () => {
    const errors = distribution.CustomErrorResponses;
    expect(errors.map(({ ErrorCode }: Json) => ErrorCode)).toEqual(expect.arrayContaining([404, 500, 502, 503, 504]));
    for (const { ErrorCachingMinTTL, ResponsePagePath } of errors) {
      expect([ErrorCachingMinTTL, ResponsePagePath]).toEqual([0, undefined]);
    }
  });

  test('caches the API by path, query and Accept, for as long as Cache-Control allows', () => {
    const policyOf = (behavior: Json) => stack.resources[behavior.CachePolicyId.Ref].Properties.CachePolicyConfig;
    expect(policyOf(distribution.DefaultCacheBehavior)).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      // As long as `stale-if-error`, which would be cut otherwise.
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

  test('adds security headers to every response', () => {
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

  test('logs neither addresses nor queries, and keeps the log for a month', () => {
    const [{ Properties }] = stack.ofType('AWS::Logs::Delivery');
    expect(Properties.RecordFields).toEqual(expect.arrayContaining(['cs-uri-stem', 'sc-status', 'x-edge-result-type']));
    expect(Properties.RecordFields.join(' ')).not.toMatch(/c-ip|forwarded|query|Agent|Referer|Cookie/);
    expect(distribution.Logging).toBeUndefined();
    expect(stack.named('EdgeLogs').Properties.RetentionInDays).toBe(30);
  });
});

describe('the bucket', () => {
  test('is private, and only this distribution can read it', () => {
    const [{ Properties: bucket }] = stack.ofType('AWS::S3::Bucket');
    expect(Object.values(bucket.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
    const [{ Properties: policy }] = stack.ofType('AWS::S3::BucketPolicy');
    const readers = policy.PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Allow');
    for (const { Principal, Condition } of readers) {
      expect(Principal).toEqual({ Service: 'cloudfront.amazonaws.com' });
      expect(JSON.stringify(Condition.StringEquals['AWS:SourceArn'])).toMatch(/distribution\/.*Edge/);
    }
    // Without ListBucket, a missing file is a 403 instead of a 404.
    expect(readers.flatMap(({ Action }: Json) => Action)).toEqual(['s3:GetObject', 's3:ListBucket']);
  });

  test('gets every file with its headers', async () => {
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
  test('the API serves the pages, and answers other methods as its endpoints do', async () => {
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
      // The API treats all types as binary, and API Gateway applies no templates to binary bodies.
      expect(ofType('AWS::ApiGateway::RestApi')[0].Properties.BinaryMediaTypes).toEqual(['*/*']);
      for (const part of [Integration, refused, allowed]) expect(part.ContentHandling).toBe('CONVERT_TO_TEXT');
    }
    const name = 'method.response.header.Cache-Control';
    const headers = methods
      .filter(({ HttpMethod }) => HttpMethod === 'GET')
      .map(({ Integration }) => Integration.IntegrationResponses[0].ResponseParameters);
    const hashed = files.filter(({ path }) => path.startsWith('assets/'));
    expect(headers.filter((of) => of[name] === "'public, max-age=31536000, immutable'")).toHaveLength(hashed.length);
    // A browser that keeps a page would look for the scripts of the release before, which the API no longer has.
    expect(headers.filter((of) => of[name] === "'no-cache'")).toHaveLength(files.length - hashed.length);
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

  const expectLimitedAssets = (acl: Json) => {
    expect(ruleOf(acl, 'assets-per-address').Statement.RateBasedStatement).toMatchObject({
      Limit: 100,
      ScopeDownStatement: { ByteMatchStatement: { PositionalConstraint: 'CONTAINS', SearchString: '/assets/' } },
    });
  };

  test('limits per path cannot be bypassed by percent-encoding', () => {
    for (const name of ['assets-per-address', 'lists-per-address']) {
      const [match] = Object.values<Json>(
        ruleOf(aclOf(stack, 'CLOUDFRONT'), name).Statement.RateBasedStatement.ScopeDownStatement,
      );
      expect(match.TextTransformations).toEqual([{ Priority: 0, Type: 'URL_DECODE' }]);
    }
  });

  test('the edge’s firewall limits each client, the API’s only those that bypass the edge', () => {
    expect(ruleOf(aclOf(stack, 'CLOUDFRONT'), 'per-address').Statement.RateBasedStatement).toEqual({
      AggregateKeyType: 'IP',
      Limit: 3_000,
    });
    expectLimitedAssets(aclOf(stack, 'CLOUDFRONT'));
    expectLimitedLists(aclOf(stack, 'CLOUDFRONT'));
    const { ScopeDownStatement, ...rate } = ruleOf(aclOf(stack, 'REGIONAL'), 'per-address').Statement
      .RateBasedStatement;
    expect(rate).toEqual({ AggregateKeyType: 'IP', Limit: 300 });
    const { FieldToMatch, PositionalConstraint, SearchString } =
      ScopeDownStatement.NotStatement.Statement.ByteMatchStatement;
    expect([FieldToMatch, PositionalConstraint]).toEqual([{ SingleHeader: { Name: 'x-origin-key' } }, 'EXACTLY']);
    const [header] = originOf(distribution.DefaultCacheBehavior).OriginCustomHeaders;
    expect(header).toEqual({ HeaderName: 'x-origin-key', HeaderValue: SearchString });
    // Generated by AWS and resolved by CloudFormation, so its value is in no template.
    expect(JSON.stringify(SearchString)).toContain('{{resolve:secretsmanager:');
    expect(distribution.WebACLId).toBeDefined();
  });

  test('without an edge, the API’s firewall has the limits of the edge’s, and there is no key', async () => {
    const without = await synthesize({ edge: 'off' });
    expect(ruleOf(aclOf(without, 'REGIONAL'), 'per-address').Statement.RateBasedStatement).toEqual({
      AggregateKeyType: 'IP',
      Limit: 3_000,
    });
    expectLimitedAssets(aclOf(without, 'REGIONAL'));
    expectLimitedLists(aclOf(without, 'REGIONAL'));
    expect(aclOf(without, 'CLOUDFRONT')).toBeUndefined();
    expect(without.ofType('AWS::SecretsManager::Secret')).toEqual([]);
  });

  test('with direct=off, the API’s firewall rejects requests without the key', async () => {
    expect(ruleOf(aclOf(stack, 'REGIONAL'), 'edge-only')).toBeUndefined();
    const rule = ruleOf(aclOf(await synthesize({ direct: 'off' }), 'REGIONAL'), 'edge-only');
    expect(rule.Priority).toBe(0);
    expect(rule.Statement.NotStatement.Statement.ByteMatchStatement.PositionalConstraint).toBe('EXACTLY');
    expect(rule.Action.Block.CustomResponse.ResponseCode).toBe(403);
  });

  test.each(['CLOUDFRONT', 'REGIONAL'])('%s: limited requests get a 429 with Retry-After', (reach) => {
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

  test('blocked requests are sampled', () => {
    for (const { Properties } of stack.ofType('AWS::WAFv2::WebACL')) {
      for (const { VisibilityConfig } of [Properties, ...Properties.Rules]) {
        expect(VisibilityConfig.SampledRequestsEnabled).toBe(true);
      }
    }
  });

  test('AWS’s managed rules protect the API', () => {
    const { ManagedRuleGroupStatement } = ruleOf(aclOf(stack, 'REGIONAL'), 'common').Statement;
    expect(ManagedRuleGroupStatement.Name).toBe('AWSManagedRulesCommonRuleSet');
    stack.template.resourceCountIs('AWS::WAFv2::WebACLAssociation', 1);
  });
});

describe('CloudFront’s function', () => {
  const handler: (event: Json) => Json = runInNewContext(`${edgeRequestCode()}\nhandler`);
  const ask = (method: string, uri: string, querystring: Json = {}, headers: Json = {}) =>
    structuredClone(
      handler({ context: { requestId: 'r-1' }, request: { method, uri, querystring, headers: { ...headers } } }),
    );
  const value = (text: string) => ({ value: text });

  test('is below CloudFront’s size limit', () => {
    expect(Buffer.byteLength(edgeRequestCode())).toBeLessThan(10_240);
  });

  test('drops unknown query parameters and sorts the others', () => {
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

  test('keeps every query parameter of the OpenAPI document', () => {
    const { paths } = openApiDocument() as Json;
    const names = Object.values<Json>(paths).flatMap(({ get }) =>
      (get.parameters ?? []).filter((parameter: Json) => parameter.in === 'query').map(({ name }: Json) => name),
    );
    expect(names.length).toBeGreaterThan(10);
    const { querystring } = ask('GET', '/', Object.fromEntries(names.map((name) => [name, value('1')])));
    expect(Object.keys(querystring)).toEqual([...new Set(names)].sort());
  });

  test('keeps a repeated parameter, which the API rejects', () => {
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
  ])('reduces Accept %s to %s', (accept, expected) => {
    const headers = accept === undefined ? {} : { accept: value(accept) };
    expect(ask('GET', '/', {}, headers).headers.accept).toEqual(value(expected));
    // The API would make the same choice without the edge.
    const request = { headers: { accept } } as unknown as Request;
    expect(prefersCsv(request)).toBe(expected === 'text/csv');
  });

  test('redirects a page with a trailing slash to the page, and keeps its query', () => {
    const answer = ask('GET', '/docs/guide/', { address: value('0x1'), rate: value('7d') });
    expect([answer.statusCode, answer.headers.location]).toEqual([301, value('/docs/guide?address=0x1&rate=7d')]);
    expect(ask('GET', '/dashboard/').headers.location).toEqual(value('/dashboard'));
    expect(ask('GET', '/dashboard').uri).toBe('/dashboard');
  });

  test('removes the trailing slash of an endpoint’s path', () => {
    expect(ask('GET', '/prices/').uri).toBe('/prices');
    expect(ask('HEAD', '/').uri).toBe('/');
  });

  test.each(['POST', 'OPTIONS'])('answers %s like the API does, on any path', async (method) => {
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
