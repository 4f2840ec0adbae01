import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { CachePolicy } from 'aws-cdk-lib/aws-cloudfront';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { ENDPOINTS } from '../../../functions/index.ts';
import { edgeRequestCode } from '../../../infra/stack/edge-function.ts';
import type { Endpoint } from '../../../lib/api/definition.ts';
import { createHandler } from '../../../lib/api/endpoint.ts';
import { preferredFormat } from '../../../lib/api/http/negotiation.ts';
import { OTHER_PATHS } from '../../../lib/api/paths.ts';
import { requestWith } from '../../lib/api/request.ts';
import { send } from '../../support/events.ts';
import { type Json, PROD, type Synthesized, siteFiles, synthesize } from '../../support/stack.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';

const ROUTES = [...Object.values(ENDPOINTS).map(({ path }) => path), OTHER_PATHS];

/** CloudFront and its firewall in the template of `prod`, and the function that CloudFront runs for each request. */

const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef';

// Shared by most tests, because each synthesis takes a second or more.
let stack: Synthesized;
let distribution: Json;
beforeAll(async () => {
  stack = await synthesize(PROD);
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
    expect(patterns.sort()).toEqual([...pages, 'assets/*', 'archive/*'].sort());
    for (const behavior of fromBucket) {
      expect(originOf(behavior).OriginAccessControlId).toBeDefined();
      expect(originOf(behavior).S3OriginConfig).toEqual({ OriginAccessIdentity: '' });
    }
  });

  test('supports HTTP/3, compresses all but archives, redirects to HTTPS, and runs the function for every method', () => {
    expect(distribution.HttpVersion).toBe('http2and3');
    // With IPv6, one machine could have more addresses than the firewall can count.
    expect(distribution.IPV6Enabled).toBe(false);
    for (const behavior of [distribution.DefaultCacheBehavior, ...distribution.CacheBehaviors]) {
      // What is compressed has no ranges of bytes, in which Parquet is read.
      const Compress = behavior.PathPattern !== 'archive/*';
      expect(behavior).toMatchObject({ Compress, ViewerProtocolPolicy: 'redirect-to-https' });
      expect(behavior.AllowedMethods).toHaveLength(7);
      expect(behavior.FunctionAssociations).toEqual([expect.objectContaining({ EventType: 'viewer-request' })]);
    }
  });

  test('does not cache endpoints whose old responses would be false, because it serves those if the API fails', () => {
    const api = originOf(distribution.DefaultCacheBehavior);
    const uncached = distribution.CacheBehaviors.filter((behavior: Json) => originOf(behavior) === api);
    const neverStale = Object.values(ENDPOINTS).filter((endpoint: Endpoint) => endpoint.neverStale);
    expect(uncached.map(({ PathPattern }: Json) => PathPattern)).toEqual(neverStale.map(({ path }) => `${path}*`));
    expect(neverStale.map(({ path }) => path)).toContain('/health');
    for (const { CachePolicyId } of uncached) expect(CachePolicyId).toBe(CachePolicy.CACHING_DISABLED.cachePolicyId);
  });

  test('supports a custom domain, with TLS 1.2 and later', async () => {
    const { template } = await synthesize({ ...PROD, domain: 'api.example.org', certificate });
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
    const behaviourOf = (pattern: string) =>
      distribution.CacheBehaviors.find(({ PathPattern }: Json) => PathPattern === pattern);
    // So that they can be closed.
    expect(behaviourOf('archive/*').CachePolicyId).toBe(CachePolicy.CACHING_DISABLED.cachePolicyId);
    const { ParametersInCacheKeyAndForwardedToOrigin: key } = policyOf(behaviourOf('assets/*'));
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

describe('a stage that ends on a day', () => {
  const END = { Sunset: 'Thu, 31 Dec 2026 23:59:59 GMT', Deprecation: '@1786752000' };
  const options = { endsOn: '2026-12-31' };

  test('says so in every answer of CloudFront, of the firewall and of functions', async () => {
    const ending = await synthesize({ ...PROD, ...options });
    const [{ Properties }] = ending.ofType('AWS::CloudFront::ResponseHeadersPolicy');
    const custom = Properties.ResponseHeadersPolicyConfig.CustomHeadersConfig.Items;
    expect(custom.map(({ Header, Value, Override }: Json) => [Header, Value, Override])).toEqual([
      ...Object.entries(END).map(([name, text]) => [name, text, true]),
      // Not instead of the API's own, which has more links.
      ['Link', '</archive>; rel="sunset"', false],
    ]);
    const [acl] = ending.ofType('AWS::WAFv2::WebACL');
    for (const { Action } of acl.Properties.Rules) {
      const { ResponseHeaders } = Action.Block.CustomResponse;
      expect(Object.fromEntries(ResponseHeaders.map(({ Name, Value }: Json) => [Name, Value]))).toMatchObject(END);
    }
    const own = ending
      .ofType('AWS::Lambda::Function')
      .filter(({ Properties }) => Properties.Environment?.Variables?.CACHE_TABLE);
    expect(own.length).toBeGreaterThan(40);
    for (const { Properties } of own) expect(Properties.Environment.Variables.ENDS_ON).toBe('2026-12-31');
  });

  test('without an edge, says so in every answer of API Gateway', async () => {
    const { ofType, methods } = await synthesize(options);
    for (const { Properties } of ofType('AWS::ApiGateway::GatewayResponse')) {
      expect(Properties.ResponseParameters).toMatchObject({
        'gatewayresponse.header.Sunset': `'${END.Sunset}'`,
        'gatewayresponse.header.Link': `'</dev/archive>; rel="sunset"'`,
      });
    }
    const own = methods.filter(({ method }) => method.Integration.Type !== 'AWS_PROXY');
    expect(own.length).toBeGreaterThan(10);
    const answers = own
      .flatMap(({ method }) => method.Integration.IntegrationResponses)
      .filter(({ ResponseParameters }: Json) => ResponseParameters);
    for (const { ResponseParameters } of answers)
      expect(ResponseParameters['method.response.header.Deprecation']).toBe(`'${END.Deprecation}'`);
  });

  test('is said by no other', () => {
    expect(JSON.stringify(stack.json)).not.toMatch(/ENDS_ON|CustomHeadersConfig/);
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
    const { ofType, methods: named } = await synthesize();
    expect(ofType('AWS::CloudFront::Distribution')).toEqual([]);
    expect(ofType('AWS::S3::Bucket')).toEqual([]);
    const methods = named.map(({ method }) => method);
    const files = await siteFiles();
    expect(named.map(({ name }) => name).sort()).toEqual(
      [
        ...ROUTES.map((path) => `ANY ${path}`),
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

describe('the API behind the edge', () => {
  test('answers nobody but CloudFront, whose key is in no template', () => {
    expect(stack.methods).toHaveLength(ROUTES.length);
    for (const { method } of stack.methods) expect(method.ApiKeyRequired).toBe(true);
    const [{ Properties: key }] = stack.ofType('AWS::ApiGateway::ApiKey');
    expect(key.Enabled).toBe(true);
    const [header] = originOf(distribution.DefaultCacheBehavior).OriginCustomHeaders;
    expect(header).toEqual({ HeaderName: 'x-api-key', HeaderValue: key.Value });
    // Generated by AWS and resolved by CloudFormation.
    expect(JSON.stringify(key.Value)).toContain('{{resolve:secretsmanager:');
    const [{ Properties: secret }] = stack.ofType('AWS::SecretsManager::Secret');
    // API Gateway takes keys of 20 to 128 letters and digits.
    expect(secret.GenerateSecretString).toEqual({ ExcludePunctuation: true, PasswordLength: 40 });
  });

  test('is throttled as a whole, by a usage plan, and each endpoint on its own', () => {
    const [[plan, { Properties }]] = Object.entries(stack.template.findResources('AWS::ApiGateway::UsagePlan')) as [
      [string, Json],
    ];
    expect(Properties.Throttle).toEqual({ RateLimit: 200, BurstLimit: 400 });
    const [[stage]] = Object.entries(stack.template.findResources('AWS::ApiGateway::Stage')) as [[string, Json]];
    // A throttle here would be of single methods.
    expect(Properties.ApiStages).toEqual([{ ApiId: { Ref: expect.any(String) }, Stage: { Ref: stage }, Throttle: {} }]);
    const [{ Properties: link }] = stack.ofType('AWS::ApiGateway::UsagePlanKey');
    expect([link.UsagePlanId, link.KeyType]).toEqual([{ Ref: plan }, 'API_KEY']);
    const [{ Properties: settings }] = stack.ofType('AWS::ApiGateway::Stage');
    expect(settings.MethodSettings).toEqual([
      expect.objectContaining({ ResourcePath: '/*', ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 }),
    ]);
  });

  test('knows a new key before CloudFront sends it, so that a key can be replaced without refused requests', () => {
    const [link] = Object.keys(stack.template.findResources('AWS::ApiGateway::UsagePlanKey'));
    expect(stack.ofType('AWS::CloudFront::Distribution')[0].DependsOn).toContain(link);
  });
});

describe('the firewall', () => {
  let acl: Json;
  beforeAll(() => {
    [acl] = stack.ofType('AWS::WAFv2::WebACL');
  });
  const ruleOf = (name: string) => acl.Properties.Rules.find(({ Name }: Json) => Name === name);
  const scopeOf = (name: string) => ruleOf(name).Statement.RateBasedStatement.ScopeDownStatement;

  test('is the only one, in front of CloudFront, with no more rules than it needs, each of which costs a dollar', () => {
    stack.template.resourceCountIs('AWS::WAFv2::WebACL', 1);
    stack.template.resourceCountIs('AWS::WAFv2::WebACLAssociation', 0);
    expect(acl.Properties.Scope).toBe('CLOUDFRONT');
    expect(acl.Properties.Rules.map(({ Name }: Json) => Name)).toEqual([
      'assets-per-address',
      'dear-per-address',
      'per-address',
      'size',
    ]);
    const [id] = Object.keys(stack.template.findResources('AWS::WAFv2::WebACL'));
    expect(distribution.WebACLId).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
  });

  /** Whether a rule's statement matches a request, as AWS documents it. */
  function matches(statement: Json, request: { path: string; query?: string }): boolean {
    const [[kind, { Statements, FieldToMatch, ...own }]] = Object.entries<Json>(statement) as [[string, Json]];
    if (kind === 'OrStatement') return Statements.some((one: Json) => matches(one, request));
    const [field] = Object.keys(FieldToMatch);
    const text = field === 'UriPath' ? request.path : field === 'QueryString' ? (request.query ?? '') : '';
    if (kind === 'SizeConstraintStatement') return Buffer.byteLength(text) > own.Size;
    expect(own.TextTransformations).toEqual([
      { Priority: 0, Type: 'URL_DECODE' },
      { Priority: 1, Type: 'NORMALIZE_PATH' },
    ]);
    const { pathname } = new URL(decodeURIComponent(text), 'https://any');
    if (kind === 'RegexMatchStatement') return new RegExp(own.RegexString).test(pathname);
    expect([kind, own.PositionalConstraint]).toEqual(['ByteMatchStatement', 'STARTS_WITH']);
    return pathname.startsWith(own.SearchString);
  }

  const address = `0x${'ab'.repeat(20)}`;

  test('limits all requests of an address, and more those that are dear or large', () => {
    expect(ruleOf('per-address').Statement.RateBasedStatement).toEqual({ AggregateKeyType: 'IP', Limit: 3_000 });
    expect(ruleOf('dear-per-address').Statement.RateBasedStatement.Limit).toBe(300);
    expect(ruleOf('assets-per-address').Statement.RateBasedStatement.Limit).toBe(100);
    const lists = Object.values(ENDPOINTS).filter(({ input }) => 'limit' in input.shape);
    expect(lists.length).toBeGreaterThan(20);
    const dear = lists.map(({ path }) => path.replace(/\{\w+\}/, address));
    const others = [
      '/archive/2026-12-31/events-2026.parquet',
      '/%61rchive/x',
      '/x/../holders/',
      '/accounts',
      `/accounts/${address}`,
    ];
    for (const path of [...dear, ...others])
      expect([path, matches(scopeOf('dear-per-address'), { path })]).toEqual([path, true]);
    for (const path of ['/prices', '/metrics', '/ggAvax', '/', '/assets/a.js'])
      expect([path, matches(scopeOf('dear-per-address'), { path })]).toEqual([path, false]);
    const large = ['/assets/a.js', '/x/../%61ssets/a.js', '/docs', '/docs/guide', '/openapi.json'];
    for (const path of large) expect([path, matches(scopeOf('assets-per-address'), { path })]).toEqual([path, true]);
    expect(matches(scopeOf('assets-per-address'), { path: '/prices' })).toBe(false);
  });

  test('fits into WAF’s limit on patterns', () => {
    const patterns = [...JSON.stringify(acl).matchAll(/"RegexString":"([^"]+)"/g)].map(([, pattern = '']) => pattern);
    expect(patterns.length).toBeGreaterThan(1);
    for (const pattern of patterns) expect(pattern.length).toBeLessThanOrEqual(512);
  });

  /** The longest text that a parameter's schema allows or, of a pattern without an end, a long one. */
  function longest(schema: Json): string {
    const { type, items, enum: words, maxItems, maximum, pattern } = schema;
    if (type === 'array' && items.enum) return items.enum.join('%2C');
    if (type === 'array') return Array.from({ length: maxItems }, () => longest(items)).join('%2C');
    if (words) return words.toSorted((a: string, b: string) => b.length - a.length)[0];
    if (type === 'boolean') return 'false';
    if (type === 'integer') return String(maximum);
    if (type === 'number') return '99.999999999999';
    if (new RegExp(pattern).test(address)) return address;
    return fc.sample(fc.stringMatching(new RegExp(pattern)), 50).toSorted((a, b) => b.length - a.length)[0] as string;
  }

  test.each(Object.values(ENDPOINTS))('lets the longest valid request of $path pass', ({ path, input }) => {
    const { properties = {} } = z.toJSONSchema(input, { io: 'input' });
    const given = Object.entries<Json>(properties).map(([name, schema]) => [name, longest(schema)] as const);
    // Each by itself: no request can be longer than one with all of them.
    for (const [name, text] of given)
      expect(input.shape[name].safeParse(decodeURIComponent(text)).error).toBeUndefined();
    const query = given.flatMap(([name, text]) => (path.includes(`{${name}}`) ? [] : `${name}=${text}`)).join('&');
    const filled = given.reduce((text, [name, value]) => text.replace(`{${name}}`, value), path as string);
    expect(matches(ruleOf('size').Statement, { path: filled, query })).toBe(false);
  });

  test('lets fifty addresses pass, each with its name', () => {
    const query = Array.from({ length: 50 }, () => `address=${address}`).join('&');
    expect(matches(ruleOf('size').Statement, { path: '/accounts', query })).toBe(false);
    expect(matches(ruleOf('size').Statement, { path: '/accounts', query: `${query}${query}` })).toBe(true);
  });

  test.each([
    ['per-address', 429, 'RATE_LIMITED', { 'Retry-After': '60' }],
    ['size', 403, 'FORBIDDEN', {}],
  ])('%s answers %s in the API’s own form', (rule, status, code, own) => {
    const { ResponseCode, ResponseHeaders, CustomResponseBodyKey } = ruleOf(rule).Action.Block.CustomResponse;
    const headers = Object.fromEntries(ResponseHeaders.map(({ Name, Value }: Json) => [Name, Value]));
    expect(ResponseCode).toBe(status);
    expect(headers).toMatchObject({ ...own, 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store' });
    const { ContentType, Content } = acl.Properties.CustomResponseBodies[CustomResponseBodyKey];
    expect(ContentType).toBe('APPLICATION_JSON');
    expect(JSON.parse(Content)).toMatchObject({ code, status });
  });

  test('samples blocked requests', () => {
    for (const { VisibilityConfig } of [acl.Properties, ...acl.Properties.Rules])
      expect(VisibilityConfig.SampledRequestsEnabled).toBe(true);
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

  test('drops parameters of link trackers, passes unknown ones on for the API to refuse, and sorts them', () => {
    const { querystring } = ask('GET', '/stakers', {
      ...Object.fromEntries(['x', 'utm', 'order', 'limit', 'status%5B%5D'].map((name) => [name, value('1')])),
      ...Object.fromEntries(['utm_source', 'fbclid', 'gclid', '_'].map((name) => [name, value('2')])),
    });
    expect(Object.entries(querystring)).toEqual(
      ['limit', 'order', 'status%5B%5D', 'utm', 'x'].map((name) => [name, value('1')]),
    );
  });

  test('keeps a repeated parameter, which the API rejects', () => {
    const twice = { value: '1', multiValue: [value('1'), value('2')] };
    expect(ask('GET', '/stakers', { limit: twice }).querystring).toEqual({ limit: twice });
  });

  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  test.each([
    [BROWSER, 'text/html'],
    ['text/csv', 'text/csv'],
    ['application/json, text/csv;q=0.5', 'application/json'],
    ['text/csv;q=0.5, application/json', 'application/json'],
    ['application/json;q=0.5, Text/CSV', 'text/csv'],
    ['text/csv;q=0.2, */*', 'application/json'],
    ['text/csv, application/*;q=0.9, */*', 'text/csv'],
    ['text/csv;q=0', 'application/json'],
    ['text/plain', 'text/plain'],
    ['text/plain;q=0.9, */*;q=0.8', 'text/plain'],
    ['application/json, text/plain, */*', 'application/json'],
    ['*/*', 'application/json'],
    ['image/avif', 'application/json'],
    [undefined, 'application/json'],
  ])('reduces Accept %s to %s', (accept, expected) => {
    const headers = accept === undefined ? {} : { accept: value(accept) };
    expect(ask('GET', '/', {}, headers).headers.accept).toEqual(value(expected));
  });

  test.each([
    undefined,
    '*/*',
    BROWSER,
    'text/calendar, application/json',
    'application/json, text/plain, */*',
    'text/csv',
  ])('leaves what each endpoint prefers for Accept %s as it is', (accept) => {
    const headers: Json = accept === undefined ? {} : { accept };
    for (const { path, formats } of Object.values(ENDPOINTS)) {
      const reduced = ask('GET', path, {}, accept === undefined ? {} : { accept: value(accept) }).headers.accept.value;
      const preferred = (accepted: Json) => preferredFormat(formats, requestWith({ headers: accepted }));
      expect([path, preferred({ accept: reduced })]).toEqual([path, preferred(headers)]);
    }
  });

  test('redirects a page with a trailing slash to the page, and keeps its query', () => {
    const answer = ask('GET', '/docs/guide/', { address: value('0x1'), rate: value('7d') });
    expect([answer.statusCode, answer.headers.location]).toEqual([301, value('/docs/guide?address=0x1&rate=7d')]);
    expect(ask('GET', '/dashboard/').headers.location).toEqual(value('/dashboard'));
    // CloudFront has chosen the bucket of the archives for it, which has no such file.
    expect(ask('GET', '/archive/').headers.location).toEqual(value('/archive'));
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
