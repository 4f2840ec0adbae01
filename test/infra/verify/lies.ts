import { formatUnits, parseUnits } from 'ethers';
import type { Json } from '../../../infra/verify/figure.ts';

/** Wrong answers: bodies in which one number is a little different. */

const AMOUNT = /^\d+(\.\d+)?$/;

/** The names of all numbers in a body, amounts as text included. Items of a list share the names of their fields. */
export function numbersIn(body: Json, name = ''): string[] {
  if (Array.isArray(body)) return [...new Set(body.flatMap((item) => numbersIn(item, name)))];
  if (body !== null && typeof body === 'object')
    return Object.entries(body).flatMap(([field, value]) => numbersIn(value, name ? `${name}.${field}` : field));
  return typeof body === 'number' || AMOUNT.test(body) ? [name] : [];
}

/** The names of all numbers and exact decimals in what a schema of an OpenAPI document describes. */
export function numbersDescribed(document: Json, schema: Json, name = ''): string[] {
  const inner = (part: Json, field?: string) =>
    numbersDescribed(document, part, [name, field].filter(Boolean).join('.'));
  if (schema.$ref) return inner(document.components.schemas[schema.$ref.split('/').at(-1)]);
  if (schema.oneOf) return schema.oneOf.flatMap((part: Json) => inner(part));
  if (schema.items) return inner(schema.items);
  if (schema.properties) return Object.entries(schema.properties).flatMap(([field, part]) => inner(part, field));
  return ['number', 'integer'].includes(schema.type) || schema.pattern?.endsWith('([.][0-9]+)?$') ? [name] : [];
}

/** The body with all numbers of a name altered a little: whole numbers by one, amounts by one wei. */
export function alterNumber(body: Json, name: string): Json {
  if (Array.isArray(body)) return body.map((item) => alterNumber(item, name));
  if (name === '') return alter(body);
  const [field = '', ...rest] = name.split('.');
  return body?.[field] === undefined ? body : { ...body, [field]: alterNumber(body[field], rest.join('.')) };
}

/** A number or an amount, altered a little; any other value unchanged. */
export function alter(value: Json): Json {
  if (Number.isInteger(value)) return value + 1;
  if (typeof value === 'number') return Number((value * 1.000_01).toPrecision(12));
  return AMOUNT.test(value) ? formatUnits(parseUnits(value) + 1n).replace(/\.0$/, '') : value;
}

export interface Lie {
  status?: number;
  headers?: Record<string, string | undefined>;
  body?: (body: Json) => Json;
  /** Closes the connection without an answer. */
  isCut?: boolean;
}

const changed = (name: string) => (body: Json) => alterNumber(body, name);

/** Paths with wrong answers, and the fault that each is reported with. */
export const LIES: readonly [path: string, lie: Lie, fault: RegExp][] = [
  ['/ggAvax', { body: changed('totalAssets') }, /^totalAssets: .*, the chain says /],
  ['/ggAvax/history', { body: changed('points.totalSupply') }, /^newestPoints\[0\]\.totalSupply: /],
  [
    '/contracts',
    {
      body: ({ contracts: [first, ...others], ...body }) => ({
        ...body,
        contracts: [{ ...first, address: others[0].address }, ...others],
      }),
    },
    /^ClaimNodeOp: 0x/,
  ],
  ['/supply/ggp/total', { body: (supply) => supply + 0.001 }, /^the number: /],
  ['/rewards/cycle', { body: changed('startTime') }, /^startTime: /],
  [
    '/metrics',
    {
      body: (body) => ({ ...body, block: { ...body.block, timestamp: body.block.timestamp - 1 } }),
      headers: { 'last-modified': undefined },
    },
    /^last-modified: null/,
  ],
  ['/metrics/apy', { body: changed('windows.apr') }, /^windows\[0\]\.apr: /],
  ['/prices', { headers: { 'access-control-allow-origin': undefined } }, /^access-control-allow-origin: missing$/],
  ['/stakers', { headers: { 'x-block-number': '1' } }, /^x-block-number: 1, the body says /],
  ['/minipools', { body: ({ counts, ...body }) => body }, /^body must have required property 'counts'$/],
  ['/withdrawals', { status: 500 }, /^status 500$/],
  ['/validators', { status: 200 }, /^If-None-Match: status 200$/],
  ['/nodeOpSpread', { headers: { 'cache-control': 'no-store' } }, /^cache-control: no-store$/],
  ['/metrics/history', { body: changed('missing') }, /^missing: \d+, its points and range say \d+$/],
  [
    '/metrics/apy/history',
    { body: ({ recordedFrom, ...body }) => body },
    /^recordedFrom: undefined, a point is of \d+$/,
  ],
  ['/rewards/cycles', { headers: { 'x-block-number': 'undefined' } }, /^x-block-number: undefined$/],
  ['/health', { headers: { 'cache-control': 'public, max-age=5, stale-if-error=60' } }, /^cache-control: .*stale/],
  ['/prices/history', { isCut: true }, /^could not be checked: fetch failed \(.+\)$/],
  ['/activity', { body: changed('coverage.toBlock') }, /^x-block-number: \d+, the body says \d+$/],
  ['/flags', { headers: { 'content-type': 'text/html' } }, /^text\/html: not documented/],
  ['/there-is-no-such-path', { status: 200 }, /^status 200, code NOT_FOUND, detail There is no such path/],
];
