/** The index for language models (https://llmstxt.org). Its links are relative to it. */

import { ENDPOINTS } from '../../functions/index.ts';
import { referenceFiles } from './reference.ts';

export function llmsText(): string {
  const files = referenceFiles().map(({ path, title }) => `- [Reference: ${title}](${path})`);
  const endpoints = Object.values(ENDPOINTS).map(({ path, summary }) => `- \`GET ${path}\`: ${summary}`);
  return `# Staking data of GoGoPool / Hypha on Avalanche

> Read-only HTTP API without keys: prices, the ggAVAX (stAVAX) pool, withdrawals, validators, stakers, minipools, rewards, and
> the protocol's history. Amounts are decimal strings in whole tokens, exact to the wei. Times are Unix seconds. Unknown values
> are omitted, never 0. The protocol has ended: zero yields and empty lists are normal answers.

- [Guide](docs/guide.md): units, caching, errors, formulas, withdrawing funds
${files.join('\n')}
- [OpenAPI document](openapi.json)

## Endpoints

${endpoints.join('\n')}
`;
}
