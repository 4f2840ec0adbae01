import { beforeAll, describe, expect, test } from '@jest/globals';
import { CachePolicy } from 'aws-cdk-lib/aws-cloudfront';
import { ENDPOINTS } from '../../../functions/index.ts';
import type { Endpoint } from '../../../lib/api/definition.ts';
import { type Json, PROD, type Synthesized, siteFiles, synthesize } from '../../support/stack.ts';

/** CloudFront and its firewall. */

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
    expect(patterns.sort()).toEqual([...pages, 'assets/*'].sort());
    for (const behavior of fromBucket) {
      expect(originOf(behavior).OriginAccessControlId).toBeDefined();
      expect(originOf(behavior).S3OriginConfig).toEqual({ OriginAccessIdentity: '' });
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

  test('caches errors no longer than the API allows, but an outage for two seconds, so that its requests collapse', () => {
    const errors = distribution.CustomErrorResponses.map(({ ErrorCode, ErrorCachingMinTTL }: Json) => [
      ErrorCode,
      ErrorCachingMinTTL,
    ]);
    expect(errors).toEqual([
      ...[400, 403, 404, 405, 414, 500, 501].map((status) => [status, 0]),
      ...[502, 503, 504].map((status) => [status, 2]),
    ]);
  });

  test('caches the API by path, query and Accept, for as long as Cache-Control allows', () => {
    const { CachePolicyConfig } = stack.resources[distribution.DefaultCacheBehavior.CachePolicyId.Ref].Properties;
    expect(CachePolicyConfig).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      // As long as `stale-if-error`, which would be cut otherwise.
      MaxTTL: 86_400,
      ParametersInCacheKeyAndForwardedToOrigin: {
        CookiesConfig: { CookieBehavior: 'none' },
        HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['Accept'] },
        QueryStringsConfig: { QueryStringBehavior: 'all' },
      },
    });
  });

  test('is not reachable over IPv6, with which one machine has more addresses than the firewall can count', () => {
    expect(distribution.IPV6Enabled).toBe(false);
  });

  test('logs neither addresses nor queries', () => {
    const [{ Properties }] = stack.ofType('AWS::Logs::Delivery');
    expect(Properties.RecordFields.join(' ')).not.toMatch(/c-ip|forwarded|query|Agent|Referer|Cookie/);
    expect(distribution.Logging).toBeUndefined();
  });
});

test('a stage that ends on a day says so in every answer of CloudFront, its firewall, API Gateway and functions', async () => {
  const sunset = { Sunset: 'Thu, 31 Dec 2026 23:59:59 GMT', Deprecation: '@1786752000' };
  const ending = await synthesize({ ...PROD, endsOn: '2026-12-31' });
  const [{ Properties }] = ending.ofType('AWS::CloudFront::ResponseHeadersPolicy');
  const items = Properties.ResponseHeadersPolicyConfig.CustomHeadersConfig.Items;
  expect(items.map(({ Header, Value, Override }: Json) => [Header, Value, Override])).toEqual([
    ...Object.entries(sunset).map(([name, text]) => [name, text, true]),
    // Not instead of the API's own, which has more links.
    ['Link', expect.stringContaining('rel="sunset"'), false],
  ]);
  for (const { Action } of ending.ofType('AWS::WAFv2::WebACL')[0].Properties.Rules) {
    const { ResponseHeaders } = Action.Block.CustomResponse;
    expect(Object.fromEntries(ResponseHeaders.map(({ Name, Value }: Json) => [Name, Value]))).toMatchObject(sunset);
  }
  for (const { Properties } of ending.ofType('AWS::ApiGateway::GatewayResponse'))
    expect(Properties.ResponseParameters['gatewayresponse.header.Sunset']).toBe(`'${sunset.Sunset}'`);
  const days = ending
    .ofType('AWS::Lambda::Function')
    .flatMap(({ Properties }) =>
      Properties.Environment?.Variables?.CACHE_TABLE ? Properties.Environment.Variables.ENDS_ON : [],
    );
  expect(new Set(days)).toEqual(new Set(['2026-12-31']));
  expect(JSON.stringify(stack.json)).not.toMatch(/ENDS_ON|CustomHeadersConfig/);
});

describe('the bucket', () => {
  test('is private, and only this distribution can read it', () => {
    expect(stack.ofType('AWS::S3::Bucket')).toHaveLength(1);
    for (const { Properties: policy } of stack.ofType('AWS::S3::BucketPolicy')) {
      const readers = policy.PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Allow');
      for (const { Principal, Condition } of readers) {
        expect(Principal).toEqual({ Service: 'cloudfront.amazonaws.com' });
        expect(JSON.stringify(Condition.StringEquals['AWS:SourceArn'])).toMatch(/distribution\/.*Edge/);
      }
      // Without ListBucket, a missing file is a 403 instead of a 404.
      expect(readers.flatMap(({ Action }: Json) => Action)).toEqual(['s3:GetObject', 's3:ListBucket']);
    }
  });

  test('gets every file of the site with its headers', async () => {
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

  test.each<[Record<string, string>, number, string]>([
    [PROD, 200, 'its clients are limited one by one'],
    [{}, 20, 'nothing limits a single client without a firewall'],
  ])('with %j gets at most %d requests a second, because %s', async (options, rate) => {
    const { ofType, template } = await synthesize(options);
    const [[plan, { Properties }]] = Object.entries(template.findResources('AWS::ApiGateway::UsagePlan')) as [
      [string, Json],
    ];
    expect(Properties.Throttle.RateLimit).toBe(rate);
    const [[stage]] = Object.entries(template.findResources('AWS::ApiGateway::Stage')) as [[string, Json]];
    // A throttle here would be of single methods.
    expect(Properties.ApiStages).toEqual([{ ApiId: { Ref: expect.any(String) }, Stage: { Ref: stage }, Throttle: {} }]);
    const [{ Properties: link }] = ofType('AWS::ApiGateway::UsagePlanKey');
    expect([link.UsagePlanId, link.KeyType]).toEqual([{ Ref: plan }, 'API_KEY']);
  });

  test('knows a new key before CloudFront sends it, so that a key can be replaced without refused requests', () => {
    const [link] = Object.keys(stack.template.findResources('AWS::ApiGateway::UsagePlanKey'));
    expect(stack.ofType('AWS::CloudFront::Distribution')[0].DependsOn).toContain(link);
  });
});
