import { beforeAll, describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../../functions/index.ts';
import { type Json, PROD, type Synthesized, synthesize } from '../../support/stack.ts';

/** The firewall in front of CloudFront. */

let stack: Synthesized;
let distribution: Json;
beforeAll(async () => {
  stack = await synthesize(PROD);
  distribution = stack.ofType('AWS::CloudFront::Distribution')[0].Properties.DistributionConfig;
});

describe('the firewall', () => {
  let acl: Json;
  beforeAll(() => {
    [acl] = stack.ofType('AWS::WAFv2::WebACL');
  });
  const ruleOf = (name: string) => acl.Properties.Rules.find(({ Name }: Json) => Name === name);
  const scopeOf = (name: string) => ruleOf(name).Statement.RateBasedStatement.ScopeDownStatement;

  test('is an option, in front of CloudFront, with as few rules as possible, each of which costs a dollar', async () => {
    expect(acl.Properties.Scope).toBe('CLOUDFRONT');
    expect(acl.Properties.Rules.map(({ Name }: Json) => Name)).toEqual(['expensive-per-address', 'per-address']);
    const [id] = Object.keys(stack.template.findResources('AWS::WAFv2::WebACL'));
    expect(distribution.WebACLId).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
    expect((await synthesize()).ofType('AWS::WAFv2::WebACL')).toEqual([]);
  });

  /** True if a rule's statement matches a path, as AWS documents it. */
  function matches(statement: Json, path: string): boolean {
    const [[kind, { Statements, FieldToMatch, ...own }]] = Object.entries<Json>(statement) as [[string, Json]];
    if (kind === 'OrStatement') return Statements.some((one: Json) => matches(one, path));
    expect(FieldToMatch).toEqual({ UriPath: {} });
    expect(own.TextTransformations).toEqual([
      { Priority: 0, Type: 'URL_DECODE' },
      { Priority: 1, Type: 'NORMALIZE_PATH' },
    ]);
    const { pathname } = new URL(decodeURIComponent(path), 'https://any');
    if (kind === 'RegexMatchStatement') return new RegExp(own.RegexString).test(pathname);
    expect([kind, own.PositionalConstraint]).toEqual(['ByteMatchStatement', 'STARTS_WITH']);
    return pathname.startsWith(own.SearchString);
  }

  const address = `0x${'ab'.repeat(20)}`;

  test('limits all requests of an address, and more those that are expensive or large', () => {
    const limits = ['per-address', 'expensive-per-address'].map((name) => {
      const { AggregateKeyType, Limit, EvaluationWindowSec } = ruleOf(name).Statement.RateBasedStatement;
      return [AggregateKeyType, Limit, EvaluationWindowSec];
    });
    expect(limits).toEqual([
      ['IP', 3_000, undefined],
      ['IP', 300, undefined],
    ]);
    const lists = Object.values(ENDPOINTS).flatMap(({ path, input }) => ('limit' in input.shape ? path : []));
    expect(lists.length).toBeGreaterThan(20);
    // Without `limit`, but up to 5,000 read units of the ledger, or a simulation, for each address.
    const others = [
      '/accounts',
      '/accounts/{address}',
      '/accounts/{address}/income',
      '/accounts/{address}/calendar.ics',
    ];
    const more = ['/rewards/{address}', '/ggAvax/{address}', '/withdrawals/estimate', '/x/../holders/'];
    const large = ['/assets/a.js', '/x/../%61ssets/a.js', '/docs', '/docs/guide', '/openapi.json'];
    for (const template of [...lists, ...others, ...more, ...large]) {
      const path = template.replace(/\{\w+\}/, address);
      expect([path, matches(scopeOf('expensive-per-address'), path)]).toEqual([path, true]);
    }
    for (const path of ['/prices', '/metrics', '/ggAvax', '/', `/stakers/${address}`])
      expect([path, matches(scopeOf('expensive-per-address'), path)]).toEqual([path, false]);
  });

  test('fits into WAF’s limit on patterns', () => {
    const patterns = [...JSON.stringify(acl).matchAll(/"RegexString":"([^"]+)"/g)].map(([, pattern = '']) => pattern);
    expect(patterns.length).toBeGreaterThan(1);
    for (const pattern of patterns) expect(pattern.length).toBeLessThanOrEqual(512);
  });

  test('answers in the API’s own form', () => {
    for (const { Action } of acl.Properties.Rules) {
      const { ResponseCode, ResponseHeaders, CustomResponseBodyKey } = Action.Block.CustomResponse;
      const headers = Object.fromEntries(ResponseHeaders.map(({ Name, Value }: Json) => [Name, Value]));
      expect(ResponseCode).toBe(429);
      expect(headers).toMatchObject({ 'Retry-After': '60', 'Access-Control-Allow-Origin': '*' });
      const { Content } = acl.Properties.CustomResponseBodies[CustomResponseBodyKey];
      expect(JSON.parse(Content)).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    }
  });
});
