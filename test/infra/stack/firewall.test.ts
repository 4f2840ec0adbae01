import { beforeAll, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../../functions/index.ts';
import { EXPENSIVE_PATHS } from '../../../infra/stack/limits.ts';
import { type Json, PROD, type Synthesized, synthesize } from '../../support/stack.ts';

/** The firewall in front of CloudFront. */

let stack: Synthesized;
let acl: Json;
beforeAll(async () => {
  stack = await synthesize(PROD);
  [{ Properties: acl }] = stack.ofType('AWS::WAFv2::WebACL');
});

test('is an option, in front of CloudFront', async () => {
  expect(acl.Scope).toBe('CLOUDFRONT');
  const [id] = Object.keys(stack.template.findResources('AWS::WAFv2::WebACL'));
  const [{ Properties }] = stack.ofType('AWS::CloudFront::Distribution');
  expect(Properties.DistributionConfig.WebACLId).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
  expect((await synthesize()).ofType('AWS::WAFv2::WebACL')).toEqual([]);
});

/** True if a rule's statement matches a path, as AWS documents it. */
function matches(statement: Json, path: string): boolean {
  const [[kind, { Statements, FieldToMatch, ...own }]] = Object.entries<Json>(statement) as [[string, Json]];
  if (kind === 'OrStatement') return Statements.some((one: Json) => matches(one, path));
  expect(FieldToMatch).toEqual({ UriPath: {} });
  expect(own.TextTransformations.map(({ Type }: Json) => Type)).toEqual(['URL_DECODE', 'NORMALIZE_PATH']);
  const { pathname } = new URL(decodeURIComponent(path), 'https://any');
  // WAF's limit on a pattern is 512 characters.
  if (kind === 'RegexMatchStatement') {
    expect(own.RegexString.length).toBeLessThanOrEqual(512);
    return new RegExp(own.RegexString).test(pathname);
  }
  expect([kind, own.PositionalConstraint]).toEqual(['ByteMatchStatement', 'STARTS_WITH']);
  return pathname.startsWith(own.SearchString);
}

test('limits all requests of an address, and more those that are expensive or large', () => {
  const limits = acl.Rules.map(({ Name, Statement: { RateBasedStatement } }: Json) => [
    Name,
    RateBasedStatement.AggregateKeyType,
    RateBasedStatement.Limit,
  ]);
  // Each rule costs a dollar a month.
  expect(limits).toEqual([
    ['expensive-per-address', 'IP', 300],
    ['per-address', 'IP', 3_000],
  ]);
  const isExpensive = (path: string) => matches(acl.Rules[0].Statement.RateBasedStatement.ScopeDownStatement, path);
  for (const { path } of Object.values(ENDPOINTS)) {
    const isLikeAnother = /^\/rewards\/(byStake|cycle)$/.test(path);
    const costly = EXPENSIVE_PATHS.includes(path) || isLikeAnother;
    expect([path, isExpensive(path.replace(/\{\w+\}/, `0x${'ab'.repeat(20)}`))]).toEqual([path, costly]);
  }
  for (const path of ['/assets/a.js', '/x/../%61ssets/a.js', '/docs', '/docs/guide', '/openapi.json', '/x/../holders/'])
    expect([path, isExpensive(path)]).toEqual([path, true]);
});

test('answers in the API’s own form', () => {
  for (const { Action } of acl.Rules) {
    const { ResponseCode, ResponseHeaders, CustomResponseBodyKey } = Action.Block.CustomResponse;
    const headers = Object.fromEntries(ResponseHeaders.map(({ Name, Value }: Json) => [Name, Value]));
    expect(ResponseCode).toBe(429);
    expect(headers).toMatchObject({ 'Retry-After': '60', 'Access-Control-Allow-Origin': '*' });
    const { Content } = acl.CustomResponseBodies[CustomResponseBodyKey];
    expect(JSON.parse(Content)).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
  }
});
