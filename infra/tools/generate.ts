/**
 * `npm run generate`: regenerates the files that are derived from the code: the list of endpoints that `/` returns, the examples
 * (answers of the local service) and the table of recorded events. Tests fail when one is out of date.
 * With `--pictures`, also the README's pictures: a liquid staker's view on a desktop and on a phone.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readHistoryStart } from '../../lib/history/history-start.ts';
import { recordDistributions } from '../../lib/history/record-distributions.ts';
import { runRecorder } from '../../lib/history/record-history.ts';
import { END_OF_TIME } from '../../lib/values/durations.ts';
import { startSystem } from '../local/system.ts';
import { openBrowser } from './browser.ts';
import { runCommand, UsageError } from './command.ts';
import { endpointsDocument } from './endpoints.ts';
import { eventsDocument } from './events-document.ts';
import { examplesFile, renewed } from './examples.ts';

const EXAMPLES = 'infra/site/examples.json';
const EVENTS = 'docs/events.md';
/** A holder of ggAVAX on the devnet. Not the first one, whose yield of 54 % a year predates the devnet's set rate. */
const HOLDER = '0xBcd4042DE499D14e55001CcbB24a551F3b954096';
const PICTURES = {
  'dashboard-desktop': { colorScheme: 'light', viewport: { width: 1280, height: 1000 } },
  'dashboard-phone': { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
} as const;

const { values } = parseArgs({ options: { pictures: { type: 'boolean' } } });
await writeFile('lib/api/endpoints.json', endpointsDocument());
await writeFile(EVENTS, eventsDocument(await readFile(EVENTS, 'utf8')));

const system = await startSystem({ env: { PORT: '0' }, onStep: console.log });
// An answer's form depends on which days and cycles are recorded: all of them.
const { context } = system;
const { days } = await readHistoryStart(context);
await runRecorder(context, days, { hoursFrom: END_OF_TIME, mayGoOn: () => true });
await recordDistributions(context, { mayGoOn: () => true });
await runCommand(async () => {
  const examples = await renewed(JSON.parse(await readFile(EXAMPLES, 'utf8')), readBody);
  await writeFile(EXAMPLES, examplesFile(examples));
  if (values.pictures) await takePictures();
});
await system.stop();

async function readBody(request: string): Promise<unknown> {
  const answer = await fetch(system.url + request);
  if (!answer.ok) throw new UsageError(`No examples are written: ${request} answers ${answer.status}.`);
  return answer.json();
}

async function takePictures(): Promise<void> {
  const browser = await openBrowser();
  for (const [name, options] of Object.entries(PICTURES)) {
    const page = await browser.newPage(options);
    await page.goto(`${system.url}/dashboard?address=${HOLDER}`, { waitUntil: 'networkidle' });
    await page.waitForSelector('[aria-busy=true]', { state: 'detached' });
    await page.screenshot({ path: `docs/images/${name}.png` });
  }
  await browser.close();
}
