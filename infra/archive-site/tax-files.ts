import { type Bodies, ENDPOINTS } from '../../functions/index.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import type { TaxFile } from './address-page.ts';
import { answerTo } from './answers.ts';

const FILES = [
  { label: 'CSV', name: 'events', query: { format: 'csv' } },
  { label: 'Koinly in USD', name: 'koinly-usd', query: { format: 'koinly', currency: 'usd' } },
  { label: 'Koinly in EUR', name: 'koinly-eur', query: { format: 'koinly', currency: 'eur' } },
  { label: 'rotki in USD', name: 'rotki-usd', query: { format: 'rotki', currency: 'usd' } },
  { label: 'rotki in EUR', name: 'rotki-eur', query: { format: 'rotki', currency: 'eur' } },
] as const;

/** The files for taxes of an address, of each year in which it earned something. None while earlier blocks are missing. */
export async function* taxFiles(
  runtime: Parameters<typeof answerTo>[0],
  { address, totals }: Bodies['/accounts/{address}/income'],
): AsyncGenerator<TaxFile & { text: string }> {
  const endpoint = ENDPOINTS['accounts/address-income'] as Endpoint;
  for (const year of new Set(totals.map(({ year }) => year))) {
    for (const { label, name, query } of FILES) {
      const request = { endpoint, params: { address }, query: { ...query, year: String(year) } };
      const text = await answerTo(runtime, request).catch(ifIncomplete);
      if (text !== undefined) yield { year, label, path: `tax/${address.toLowerCase()}/${year}-${name}.csv`, text };
    }
  }
}

/** A file could not say that entries are missing, so the service refuses it. */
function ifIncomplete(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 503 && !error.cause) return undefined;
  throw error;
}
