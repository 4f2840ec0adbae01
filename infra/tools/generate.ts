/**
 * `npm run generate`: regenerates the files that are derived from the code: the list of endpoints that `/` returns,
 * the examples (answers of the local service), the list of licences, and the table of recorded events. Tests fail when one is out of date.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { recordDistributions } from '../../lib/history/distributions.ts';
import { readHistoryStart } from '../../lib/history/history-start.ts';
import { runRecorder } from '../../lib/history/record-history.ts';
import { END_OF_TIME } from '../../lib/values/durations.ts';
import { startSystem } from '../local/system.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { endpointsDocument } from './endpoints.ts';
import { eventsDocument } from './events-document.ts';
import { examplesFile, renewed } from './examples.ts';
import { licencesDocument } from './licences.ts';

const EXAMPLES = 'infra/site/examples.json';
const EVENTS = 'docs/events.md';

await writeFile('lib/api/endpoints.json', endpointsDocument());
await writeFile('docs/licences.md', await licencesDocument());
await writeFile(EVENTS, eventsDocument(await readFile(EVENTS, 'utf8')));

const system = await startSystem({
  env: { PORT: '0' },
  telemetry: terminalTelemetry,
  onStep: (line) => console.log(line),
});
// An answer's form depends on which days and cycles are recorded: all of them.
const { context } = system;
const { days } = await readHistoryStart(context);
await runRecorder(context, days, { hoursFrom: END_OF_TIME, mayGoOn: () => true });
await recordDistributions(context, { mayGoOn: () => true });
const readBody = async (request: string) => (await fetch(system.url + request)).json();
const examples = await renewed(JSON.parse(await readFile(EXAMPLES, 'utf8')), readBody);
await writeFile(EXAMPLES, examplesFile(examples));
await system.stop();
