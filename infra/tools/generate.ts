import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startSystem } from '../local/system.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { endpointsDocument } from './endpoints.ts';
import { examplesDocument } from './examples.ts';
import { licencesDocument } from './licences.ts';

/**
 * `npm run generate`: regenerates the files that are derived from the code: the list of endpoints that `/` returns and
 * that wrong paths and parameters are compared with, the examples in docs/examples.md (answers of the local service),
 * and the list of licences. Tests fail when one is out of date.
 */

const LIST = fileURLToPath(new URL('../../lib/api/endpoints.json', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../docs/examples.md', import.meta.url));
const LICENCES = fileURLToPath(new URL('../../docs/licences.md', import.meta.url));

await writeFile(LIST, endpointsDocument());

await writeFile(LICENCES, await licencesDocument());

const system = await startSystem({
  env: { PORT: '0' },
  telemetry: terminalTelemetry,
  onStep: (line) => console.log(line),
});
const bodyOf = async (request: string) => (await fetch(system.url + request)).json();
await writeFile(EXAMPLES, await examplesDocument(await readFile(EXAMPLES, 'utf8'), bodyOf));
await system.stop();
