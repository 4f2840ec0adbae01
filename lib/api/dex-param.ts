import { EXCHANGES, type Exchange } from '../prices/exchanges.ts';
import { ApiError } from '../runtime/errors.ts';
import { param } from './params.ts';

const CODES = EXCHANGES.map(({ code }) => code);
const KNOWN = CODES.join(', ');

const WORDS = EXCHANGES.flatMap(({ code, aliases }) => [code, ...aliases]);

/** The path parameter that names an exchange, by its code or an alias, in any case; its value is the code. */
export const dexParam = param({
  description: `Exchange code or alias, in any letter case: ${EXCHANGES.map(({ code, aliases }) => `\`${code}\` (${aliases.length > 1 ? 'aliases' : 'alias'} ${aliases.map((alias) => `\`${alias}\``).join(', ')})`).join('; ')}.`,
  accepted: `one of ${KNOWN}`,
  // An unknown exchange is not a malformed request: the handler answers it with a 404.
  parse: (text) => findExchange(text)?.code ?? text,
  schema: { title: 'Dex', type: 'string', enum: WORDS },
});

/** The 404 for a name that is no exchange's. */
export function unknownExchange(): ApiError {
  return new ApiError('DEX_NOT_FOUND', `Unknown exchange. Known codes: ${KNOWN}.`);
}

/** The exchange of a code. Throws DEX_NOT_FOUND. */
export function requireExchange(code: string): Exchange {
  const exchange = findExchange(code);
  if (!exchange) throw unknownExchange();
  return exchange;
}

function findExchange(code: string): Exchange | undefined {
  const wanted = code.toLowerCase();
  return EXCHANGES.find((exchange) => exchange.code === wanted || exchange.aliases.includes(wanted));
}
