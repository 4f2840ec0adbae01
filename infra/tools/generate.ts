import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ENDPOINTS } from '../../functions/index.ts';
import { startSystem } from '../local/system.ts';
import { terminalTelemetry } from '../local/telemetry.ts';
import { licencesDocument } from './licences.ts';

/**
 * `npm run generate`: regenerates the files that are derived from the code: the list of endpoints that `/` returns, the
 * examples in docs/examples.md (answers of the local service), and the list of licences. Tests fail when one is out of
 * date.
 */

const LIST = fileURLToPath(new URL('../../functions/endpoints.json', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../docs/examples.md', import.meta.url));
const INTRODUCTION = `# Examples

A request to each endpoint, and its response on the local chain. Lists are cut after their first entry. The API reference, at \`/docs\` of
every deployment, describes each field.`;
const LICENCES = fileURLToPath(new URL('../../docs/licences.md', import.meta.url));

const list = Object.values(ENDPOINTS).map(({ path, tag, summary }) => ({ path, tag, summary }));
await writeFile(LIST, `${JSON.stringify(list, null, 2)}\n`);

await writeFile(LICENCES, await licencesDocument());

const system = await startSystem({
  env: { PORT: '0' },
  telemetry: terminalTelemetry,
  onStep: (line) => console.log(line),
});
await writeFile(EXAMPLES, `${INTRODUCTION}\n\n${await examples(system.url)}\n`);
await system.stop();

async function examples(url: string): Promise<string> {
  const blocks = [];
  let tag = '';
  for (const endpoint of Object.values(ENDPOINTS)) {
    if (endpoint.tag !== tag) blocks.push(`## ${endpoint.tag}`);
    tag = endpoint.tag;
    const request = endpoint.exampleRequest;
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

/** A body with one line per field, and with only the first entry of each list. */
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
