import { beforeAll, describe, expect, test } from '@jest/globals';
import { CachePolicy } from 'aws-cdk-lib/aws-cloudfront';
import { ENDPOINTS } from '../../../functions/index.ts';
import { EXPENSIVE_PATHS } from '../../../infra/stack/limits.ts';
import type { Endpoint } from '../../../lib/api/definition.ts';
import { EVERYTHING, type Json, PROD, type Synthesized, siteFiles, synthesize } from '../../support/stack.ts';

/** CloudFront and its firewall. */

// Shared by most tests, because each synthesis takes a second or more.
let stack: Synthesized;
let distribution: Json;
let acl: Json;
beforeAll(async () => {
  stack = await synthesize(PROD);
  [{ Properties: acl }] = stack.ofType('AWS::WAFv2::WebACL');
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
    const all = (await siteFiles()).map(({ path }) =>
      path.replace(/^assets\/.*/, 'assets/*').replace(/^docs\/.*\.md$/, 'docs/*.md'),
    );
    expect(patterns.sort()).toEqual([...new Set(all)].sort());
  });

  test('does not cache endpoints whose old responses would be false, because it serves those if the API fails', () => {
    const api = originOf(distribution.DefaultCacheBehavior);
    const uncached = distribution.CacheBehaviors.filter((behavior: Json) => originOf(behavior) === api);
    const neverStale = Object.values(ENDPOINTS).filter((endpoint: Endpoint) => endpoint.neverStale);
    expect(uncached.map(({ PathPattern }: Json) => PathPattern)).toEqual(neverStale.map(({ path }) => `${path}*`));
    expect(neverStale.map(({ path }) => path)).toContain('/health');
    for (const { CachePolicyId } of uncached) expect(CachePolicyId).toBe(CachePolicy.CACHING_DISABLED.cachePolicyId);
  });

  test('caches the API as long as `stale-if-error`, which would be cut otherwise, by what may change an answer', () => {
    const { CachePolicyConfig } = stack.resources[distribution.DefaultCacheBehavior.CachePolicyId.Ref].Properties;
    expect([CachePolicyConfig.DefaultTTL, CachePolicyConfig.MaxTTL]).toEqual([0, 86_400]);
    const { HeadersConfig, QueryStringsConfig } = CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin;
    expect([HeadersConfig.Headers, QueryStringsConfig.QueryStringBehavior]).toEqual([['Accept'], 'all']);
  });

  test('and the API log neither addresses nor queries', () => {
    const [{ Properties }] = stack.ofType('AWS::Logs::Delivery');
    expect(Properties.RecordFields.join(' ')).not.toMatch(/c-ip|forwarded|query|Agent|Referer|Cookie/);
    expect(distribution.Logging).toBeUndefined();
    const { AccessLogSetting } = stack.ofType('AWS::ApiGateway::Stage')[0].Properties;
    expect(AccessLogSetting.Format).not.toMatch(/identity|userAgent|querystring/i);
  });
});

test('a stage that ends on a day says so in every answer of CloudFront, its firewall, API Gateway and functions', async () => {
  const ending = await synthesize(EVERYTHING);
  const types = ['CloudFront::ResponseHeadersPolicy', 'WAFv2::WebACL', 'ApiGateway::GatewayResponse'];
  for (const resource of types.flatMap((type) => ending.ofType(`AWS::${type}`)))
    expect(JSON.stringify(resource)).toMatch(/Sunset.*Thu, 31 Dec 2099 23:59:59 GMT/);
  const [{ Properties }] = ending.ofType('AWS::CloudFront::ResponseHeadersPolicy');
  const items = Properties.ResponseHeadersPolicyConfig.CustomHeadersConfig.Items;
  // The link is not instead of the API's own, which has more links.
  expect(items.map(({ Header, Override }: Json) => [Header, Override])).toEqual([
    ['Sunset', true],
    ['Deprecation', true],
    ['Link', false],
  ]);
  expect(ending.valuesOf('ENDS_ON')).toEqual(new Set(['2099-12-31']));
  expect(JSON.stringify(stack.json)).not.toMatch(/ENDS_ON|CustomHeadersConfig/);
});

test('the bucket is read by CloudFront, which may list it: without, a missing file would be a 403 instead of a 404', () => {
  const [{ Properties }] = stack.ofType('AWS::S3::BucketPolicy');
  const readers = Properties.PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Allow');
  expect(readers).toMatchObject([
    { Principal: { Service: 'cloudfront.amazonaws.com' }, Action: ['s3:GetObject', 's3:ListBucket'] },
  ]);
});

describe('the API behind CloudFront', () => {
  test('answers nobody but CloudFront, whose key is in no template', () => {
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

  test('gets fewer requests a second without a firewall, as nothing limits a single client then', async () => {
    for (const { ofType, types } of [stack, await synthesize()]) {
      const [{ Properties }] = ofType('AWS::ApiGateway::UsagePlan');
      expect(Properties.Throttle.RateLimit).toBe(types.includes('AWS::WAFv2::WebACL') ? 200 : 20);
      // A throttle here would be of single methods.
      expect(Properties.ApiStages).toEqual([expect.objectContaining({ Throttle: {} })]);
    }
  });

  test('knows a new key before CloudFront sends it, so that a key can be replaced without refused requests', () => {
    const [{ DependsOn }] = stack.ofType('AWS::CloudFront::Distribution');
    expect(DependsOn).toContain(stack.idOf('AWS::ApiGateway::UsagePlanKey'));
  });
});

describe('the firewall', () => {
  test('is an option, and counts requests by IPv4 address: a machine has more of IPv6 than it can count', async () => {
    const id = stack.idOf('AWS::WAFv2::WebACL');
    expect([acl.Scope, distribution.WebACLId]).toEqual(['CLOUDFRONT', { 'Fn::GetAtt': [id, 'Arn'] }]);
    expect(distribution.IPV6Enabled).toBe(false);
    expect((await synthesize()).types).not.toContain('AWS::WAFv2::WebACL');
  });

  /** The pattern of a statement of a rule, as AWS documents it. */
  function patternOf({ ByteMatchStatement: start, RegexMatchStatement: match }: Json): RegExp {
    const { FieldToMatch, TextTransformations } = start ?? match;
    expect(FieldToMatch).toEqual({ UriPath: {} });
    expect(TextTransformations.map(({ Type }: Json) => Type)).toEqual(['URL_DECODE', 'NORMALIZE_PATH']);
    if (start) expect(start.PositionalConstraint).toBe('STARTS_WITH');
    // WAF's limit on a pattern is 512 characters.
    else expect(match.RegexString.length).toBeLessThanOrEqual(512);
    return new RegExp(match ? match.RegexString : `^${start.SearchString}`);
  }

  test('limits all requests of an address, and more those that are expensive or large', () => {
    const perAddress = (Limit: number) => ({ RateBasedStatement: { AggregateKeyType: 'IP', Limit } });
    // Each rule costs a dollar a month.
    expect(acl.Rules).toMatchObject([
      { Name: 'expensive-per-address', Statement: perAddress(300) },
      { Name: 'per-address', Statement: perAddress(3_000) },
    ]);
    const { Statements } = acl.Rules[0].Statement.RateBasedStatement.ScopeDownStatement.OrStatement;
    const patterns: RegExp[] = Statements.map(patternOf);
    const isExpensive = (path: string) => patterns.some((pattern) => pattern.test(path));
    for (const { path } of Object.values(ENDPOINTS)) {
      const isLikeAnother = /^\/rewards\/(byStake|cycle)$/.test(path);
      const costly = EXPENSIVE_PATHS.includes(path) || isLikeAnother;
      expect([path, isExpensive(path.replace(/\{\w+\}/, `0x${'ab'.repeat(20)}`))]).toEqual([path, costly]);
    }
    const others = ['/assets/a.js', '/docs', '/docs/guide', '/openapi.json', '/holders/'];
    expect(others.filter((path) => !isExpensive(path))).toEqual([]);
  });

  test('answers in the API’s own form', () => {
    for (const { Action } of acl.Rules) {
      const { ResponseCode, ResponseHeaders, CustomResponseBodyKey } = Action.Block.CustomResponse;
      const headers = Object.fromEntries(ResponseHeaders.map(({ Name, Value }: Json) => [Name, Value]));
      const body = JSON.parse(acl.CustomResponseBodies[CustomResponseBodyKey].Content);
      expect([ResponseCode, body.status, body.code]).toEqual([429, 429, 'RATE_LIMITED']);
      expect(headers).toMatchObject({ 'Retry-After': '60', 'Access-Control-Allow-Origin': '*' });
    }
  });
});
