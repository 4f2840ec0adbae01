import { EXCHANGES, type Exchange } from '../prices/exchanges.ts';
import { ApiError } from '../runtime/errors.ts';
import { nameParam } from './params.ts';

/** The path parameter that names an exchange, by its code or an alias, in any case. */
export const dexParam = nameParam(
  EXCHANGES.flatMap(({ code, aliases }) => [code, ...aliases]),
  `Exchange code or alias, in any letter case: ${EXCHANGES.map(({ code, aliases }) => `\`${code}\` (${aliases.length > 1 ? 'aliases' : 'alias'} ${aliases.map((alias) => `\`${alias}\``).join(', ')})`).join('; ')}.`,
  'Dex',
);

export function unknownExchange(): ApiError {
  const known = EXCHANGES.map(({ code }) => code).join(', ');
  return new ApiError('DEX_NOT_FOUND', `Unknown exchange. Known codes: ${known}.`);
}

/** The exchange of a code or an alias. Throws DEX_NOT_FOUND. */
export function requireExchange(name: string): Exchange {
  const wanted = name.toLowerCase();
  const exchange = EXCHANGES.find(({ code, aliases }) => code === wanted || aliases.includes(wanted));
  if (!exchange) throw unknownExchange();
  return exchange;
}
