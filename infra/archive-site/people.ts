/** The files of one address: answers of the API, its days and files for taxes. */

import type { Bodies } from '../../functions/index.ts';
import type { StepFiles } from '../../lib/archive/export-folder.ts';
import { isoDay } from '../../lib/values/iso-time.ts';
import type { Answers } from './answers.ts';

export type Account = Bodies['/accounts/{address}'];
export type Income = Bodies['/accounts/{address}/income'];
export type Event = Bodies['/activity']['activity'][number];
type Minipool = Bodies['/minipools']['minipools'][number];
type Day = Bodies['/ggAvax/{address}/rewards']['days'][number];

export interface Person {
  account: Account;
  income: Income | undefined;
  events: Event[];
  days: Day[];
  minipools: Minipool[];
  /** Of a staker. */
  rewards: Bodies['/rewards/{address}'] | undefined;
  /** Paths, with names for people. */
  files: { path: string; title: string }[];
}

/**
 * Growth of ggAVAX is summed by month: by day, the files of all people would have ten times the size, and days.csv has the days.
 * Each month is the sum of its days at their own prices.
 */
const PARTS = ['source=ggAvax&interval=1mo', 'source=minipools', 'source=ggp'];
const TAX_FILES = [
  { name: 'income.csv', title: 'Income as CSV, in USD and EUR', query: 'format=csv' },
  { name: 'koinly.csv', title: 'Income for Koinly, in USD', query: 'format=koinly&currency=usd' },
  { name: 'rotki.csv', title: 'Income for rotki', query: 'format=rotki&currency=usd' },
];

/** Writes at most eight files about an address (lower case). Throws what the service would answer with an error. */
export async function writePerson(
  answers: Answers,
  files: StepFiles,
  address: string,
  { isHolder, isStaker }: { isHolder: boolean; isStaker: boolean },
): Promise<Person> {
  const written: Person['files'] = [];
  const write = (path: string, title: string, text: string) => {
    files.write(path, text);
    written.push({ path, title });
  };
  const writeJson = (path: string, title: string, body: object) => write(path, title, JSON.stringify(body));
  const account = (await answers.body<Account>(`/accounts/${address}`)) as Account;
  writeJson(`api/accounts/${address}.json`, 'Account: holdings and claims', account);

  const income = await readIncome(answers, address);
  if (income && (income.entries.length > 0 || income.undated)) {
    writeJson(`api/accounts/${address}/income.json`, 'Income, with all entries', income);
    for (const { name, title, query } of TAX_FILES) {
      const texts = PARTS.map((part) => answers.text(`/accounts/${address}/income?${part}&${query}`));
      const parts = (await Promise.all(texts)).filter((text) => text !== undefined);
      const rows = parts.map((text, part) => (part === 0 ? text : text.slice(text.indexOf('\r\n') + 2)));
      if (parts.length === PARTS.length) write(`tax/${address}/${name}`, title, rows.join(''));
    }
  }
  const roles = [...(isHolder ? ['ggAvax'] : []), ...(isStaker ? ['stakers'] : [])];
  const lists = await Promise.all(roles.map((role) => answers.all<Event>(`/${role}/${address}/activity`, 'activity')));
  const events = [...new Map(lists.flat().map((event) => [`${event.blockNumber}-${event.logIndex}`, event])).values()];
  events.sort((a, b) => b.blockNumber - a.blockNumber || b.logIndex - a.logIndex);
  if (events.length > 0)
    writeJson(`api/accounts/${address}/activity.json`, 'Events, the newest first', { activity: events });
  const days = isHolder ? await answers.all<Day>(`/ggAvax/${address}/rewards`, 'days') : [];
  if (days.length > 0) write(`api/accounts/${address}/days.csv`, 'ggAVAX by day', daysText(days));
  const calendar = await answers.text(`/accounts/${address}/calendar.ics?format=ics`);
  if (calendar?.includes('BEGIN:VEVENT')) write(`accounts/${address}/calendar.ics`, 'Dates as a calendar', calendar);
  const minipools = isStaker ? await answers.all<Minipool>(`/minipools?owner=${address}`, 'minipools') : [];
  const rewards = isStaker ? await answers.body<Bodies['/rewards/{address}']>(`/rewards/${address}`) : undefined;
  return { account, income, events, days, minipools, rewards, files: written };
}

/** All income. Undefined of who never had ggAVAX, GGP or minipools. */
async function readIncome(answers: Answers, address: string): Promise<Income | undefined> {
  const parts = await Promise.all(PARTS.map((part) => answers.body<Income>(`/accounts/${address}/income?${part}`)));
  const known = parts.filter((part) => part !== undefined);
  if (!known[0]) return undefined;
  const undated = known.flatMap((part) => part.undated ?? []);
  const partial = [...new Set(known.flatMap((part) => part.partial ?? []))];
  return {
    ...known[0],
    ...(undated.length > 0 && { undated }),
    ...(partial.length > 0 && { partial, reasons: Object.assign({}, ...known.map(({ reasons }) => reasons)) }),
    entries: known.flatMap(({ entries }) => entries).sort((a, b) => a.timestamp - b.timestamp),
    totals: known.flatMap(({ totals }) => totals).sort((a, b) => a.year - b.year),
    coverage: Object.assign({}, ...known.map(({ coverage }) => coverage)),
  };
}

/** Changes of a day, without the values that /ggAvax/history has for everybody. */
function daysText(days: readonly Day[]): string {
  const rows = days.map(({ timestamp, closeGgAvax, inflowAVAX, outflowAVAX, rewardAVAX, rewardUSD, rewardEUR }) =>
    [isoDay(timestamp), closeGgAvax, inflowAVAX, outflowAVAX, rewardAVAX, rewardUSD ?? '', rewardEUR ?? ''].join(','),
  );
  return ['day,ggAvax,inflowAVAX,outflowAVAX,rewardAVAX,rewardUSD,rewardEUR', ...rows, ''].join('\r\n');
}
