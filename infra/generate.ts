import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ENDPOINTS } from '../functions/index.ts';
import { licencesDocument } from './licences.ts';
import { EXAMPLE_REQUESTS } from './local/example-requests.ts';
import { startSystem } from './local/system.ts';
import { terminalTelemetry } from './local/telemetry.ts';

/**
 * `npm run generate`: renews what is made from the list of endpoints: the list that `/` answers, the README's examples, which the
 * service on this machine gives, and the list of licences. The tests say when that is due.
 */

const LIST = fileURLToPath(new URL('../functions/endpoints.json', import.meta.url));
const README = fileURLToPath(new URL('../README.md', import.meta.url));
const LICENCES = fileURLToPath(new URL('../docs/licences.md', import.meta.url));
const SECTION = /(<!-- examples -->)[\s\S]*(<!-- \/examples -->)/;

const list = Object.values(ENDPOINTS).map(({ path, tag, summary }) => ({ path, tag, summary }));
await writeFile(LIST, `${JSON.stringify(list, null, 2)}\n`);

await writeFile(LICENCES, await licencesDocument());

const system = await startSystem({
  env: { PORT: '0' },
  telemetry: terminalTelemetry,
  onStep: (line) => console.log(line),
});
const readme = await readFile(README, 'utf8');
await writeFile(README, readme.replace(SECTION, `$1\n\n${(await examples(system.url)).replaceAll('$', '$$$$')}\n\n$2`));
await system.stop();

async function examples(url: string): Promise<string> {
  const blocks = [];
  let tag = '';
  for (const [file, endpoint] of Object.entries(ENDPOINTS)) {
    if (endpoint.tag !== tag) blocks.push(`### ${endpoint.tag}`);
    tag = endpoint.tag;
    const request = EXAMPLE_REQUESTS[file] as string;
    const body = await (await fetch(url + request)).json();
    blocks.push(
      [
        `<details><summary><code>GET ${endpoint.path}</code> ${endpoint.summary}</summary>\n`,
        '```console',
        `$ curl 'http://localhost:3000${request}'`,
        abridged(body),
        '```\n',
        '</details>',
      ].join('\n'),
    );
  }
  return blocks.join('\n\n');
}

/** A body with a line for each of its fields, and of each list the first entry. */
function abridged(body: unknown): string {
  if (typeof body !== 'object' || body === null) return JSON.stringify(body);
  const lines = Object.entries(body).map(([name, value]) => `  ${JSON.stringify(name)}: ${inOneLine(value)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) {
    const more = value.length > 1 ? `, … ${value.length - 1} more` : '';
    return value.length > 0 ? `[${inOneLine(value[0])}${more}]` : '[]';
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${inOneLine(field)}`);
  return fields.length > 0 ? `{ ${fields.join(', ')} }` : '{}';
}
