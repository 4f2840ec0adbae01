/** The pages for programs that read text, made from the pages for people. */

import Turndown from 'turndown';
import { gfm } from 'turndown-plugin-gfm';
import { ENDPOINTS } from '../../functions/index.ts';

const converter = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
converter.use(gfm);
// Links between pages, forms and icons are of no use in a text.
converter.remove(['script', 'style', 'nav', 'form', 'button', 'template']);

/** The main part of a page as Markdown. */
export function markdownOf(page: string): string {
  const [, main = page] = /<main[^>]*>(.*)<\/main>/s.exec(page) ?? [];
  return `${converter.turndown(main)}\n`;
}

/** What a language model should read first (https://llmstxt.org). Links are relative to it. */
export function llmsText(): string {
  const endpoints = Object.values(ENDPOINTS).map(({ path, summary }) => `- \`GET ${path}\`: ${summary}`);
  return `# Staking data of GoGoPool / Hypha on Avalanche

> A read-only HTTP API without keys: prices, the ggAVAX (stAVAX) pool, withdrawals, validators, stakers, minipools, rewards and
> the protocol's whole past. Amounts are decimal strings in whole tokens, exact to the wei; times are Unix seconds; what is
> unknown is left out, and never 0. The protocol has ended: zero yields and empty lists are ordinary answers.

- [Guide](docs/guide.md): units, freshness, errors, how figures are computed, how to get AVAX back
- [Reference](docs.md): every endpoint with its parameters and fields
- [OpenAPI document](openapi.json)

## Endpoints

${endpoints.join('\n')}
`;
}
