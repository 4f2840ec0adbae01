import type { Bodies } from '../../functions/index.ts';
import { counted, day, withUnit } from '../site/pages/dashboard/format.ts';
import { chart } from './chart.ts';
import { type Event, eventTable } from './events.ts';
import { type Html, html } from './html.ts';
import { type AnswerFile, amount, answerList, type Cell, type Page, table } from './layout.ts';

type Account = Bodies['/accounts/{address}'];
type Income = Bodies['/accounts/{address}/income'];
type RewardDays = Bodies['/ggAvax/{address}/rewards']['days'];

/** Files for taxes of one year: what each is called, and its name. */
export interface TaxFile {
  year: number;
  label: string;
  path: string;
}

export interface Person {
  network: string;
  account: Account;
  /** By the checksummed address. */
  contractNames: ReadonlyMap<string, string>;
  /** Undefined of who never had ggAVAX, GGP or minipools. */
  income: Income | undefined;
  taxFiles: readonly TaxFile[];
  events: readonly Event[];
  /** The days on which it held ggAVAX, oldest first. */
  days: RewardDays;
  answers: readonly AnswerFile[];
}

const SOURCES: Record<string, string> = {
  ggAvax: 'Growth of ggAVAX',
  minipools: 'Minipools',
  ggp: 'GGP rewards',
};

/** The page of an address: its holdings, withdrawals that it could make, income, files and history. */
export function addressPage({
  network,
  account,
  contractNames,
  income,
  taxFiles,
  events,
  days,
  answers,
}: Person): Page {
  const { address } = account;
  return {
    title: address,
    about: `What ${address} had in GoGoPool / Hypha on Avalanche, and what it earned each year.`,
    up: '../',
    content: html`<h2>What it had</h2>
${table('Holdings', ['Holding', 'Amount'], holdings(account))}
${account.partial && html`<p>Not known, because a source did not answer: ${account.partial.join(', ')}.</p>`}
<h2 id="income">What it earned</h2>
${income && income.totals.length > 0 ? incomeTable(income, taxFiles) : html`<p>No income is recorded for this address.</p>`}
<h2>What it could take out</h2>
${waysOut(account, contractNames)}
<h2>Its history</h2>
${charts(days)}
${eventTable(network, events)}
<h2>All of its data</h2>
<p>Answers of the API at that block, as JSON.</p>
${answerList(answers)}`,
  };
}

function holdings({
  ggAvax,
  staking,
  minipools,
  withdrawals,
  pstAvax,
  xGgp,
  xAvax,
  locked = [],
  totalAVAX,
  totalUSD,
}: Account): Cell[][] {
  const worth = (value: string, token: string) => `worth ${withUnit(Number(value), token)}`;
  const rows: (readonly [name: string, value: string | undefined, token: string, remark?: string])[] = [
    ['ggAVAX (stAVAX)', ggAvax.balance, 'ggAVAX', worth(ggAvax.avax, 'AVAX')],
    ['GGP staked', staking?.ggpStaked, 'GGP'],
    ['GGP rewards, not claimed', staking?.ggpRewards, 'GGP'],
    ['AVAX in minipools', minipools?.stakedAVAX, 'AVAX', counted(minipools?.count, 'minipool')],
    ['AVAX of ended minipools', minipools?.withdrawableAVAX, 'AVAX'],
    ['Pending withdrawals', withdrawals.pendingAVAX, 'AVAX', counted(withdrawals.pending, 'request')],
    ['Claimable withdrawals', withdrawals.claimableAVAX, 'AVAX'],
    ['Expired withdrawals', withdrawals.expiredAVAX, 'AVAX', counted(withdrawals.expired, 'request')],
    ['pstAVAX', pstAvax, 'pstAVAX'],
    ['xGGP', xGgp?.shares, 'xGGP', xGgp && worth(xGgp.ggp, 'GGP')],
    ['xAVAX', xAvax?.shares, 'xAVAX', xAvax && worth(xAvax.avax, 'AVAX')],
    ...locked.map(
      ({ token, amount, until }) =>
        [`Locked ${token}`, amount, token, until === undefined ? 'no end of the lock' : `until ${day(until)}`] as const,
    ),
  ];
  const had = rows.flatMap(([name, value, token, remark]) =>
    value === undefined || value === '0' ? [] : [[withRemark(name, remark), amount(value, token)]],
  );
  const total = totalAVAX === undefined ? 'unknown' : amount(totalAVAX, 'AVAX');
  const usd = totalUSD === undefined ? undefined : `worth ${withUnit(totalUSD, 'USD')}`;
  return [...had, [withRemark('Everything together', usd), total]];
}

function withRemark(name: string | number, remark: string | undefined): Html {
  return html`${name}${remark && html`<small>${remark}</small>`}`;
}

function charts(days: RewardDays): Html {
  const points = (value: (day: RewardDays[number]) => number) =>
    days.map((day) => ({ timestamp: day.closeTimestamp, value: value(day) }));
  let sum = 0;
  return html`<div class="charts">
${chart(
  'ggAVAX held',
  'ggAVAX',
  points(({ closeGgAvax }) => Number(closeGgAvax)),
)}
${chart(
  'Growth of ggAVAX, added up',
  'AVAX',
  points(({ rewardAVAX }) => (sum += Number(rewardAVAX))),
)}
</div>`;
}

function waysOut({ availableNow, availableLater = [] }: Account, names: Person['contractNames']): Html {
  if (!availableNow) return html`<p>Not known.</p>`;
  const claims = [...availableNow, ...availableLater].map(
    ({ title, detail, amount: paid, token, call }) =>
      html`<li>${title}: <strong>${paid === undefined ? 'not known yet' : amount(paid, token)}</strong><br>${detail}${call && html`<br><code>${call.function}</code> of ${names.get(call.contract)} <code>${call.contract}</code>${call.arguments.map((argument, place) => html`<br>${place === 0 ? 'with' : 'and'} <code>${argument}</code>`)}`}</li>
`,
  );
  if (claims.length === 0) return html`<p>Nothing, at that block.</p>`;
  return html`<ul class="ways">${claims}</ul>
<p><a href="../index.html#get-it-out">How to send a transaction</a></p>`;
}

function incomeTable({ totals }: Income, taxFiles: readonly TaxFile[]): Html {
  const rows = totals.map(({ year, source, amount: earned, token, valueUSD, valueEUR, unpricedEUR }) => {
    const inEUR = valueEUR === undefined ? [] : withUnit(valueEUR, 'EUR');
    const unpriced = unpricedEUR === 0 ? [] : `${counted(unpricedEUR, 'entry', 'entries')} without a price`;
    const worth = withRemark(
      valueUSD === undefined ? 'unknown' : withUnit(valueUSD, 'USD'),
      [inEUR, unpriced].flat().join(', '),
    );
    return [withRemark(year, SOURCES[source]), amount(earned, token), worth];
  });
  const years = [...Map.groupBy(taxFiles, ({ year }) => year)];
  return html`${years.map(
    ([
      year,
      files,
    ]) => html`<p class="downloads"><strong>Income of ${year}</strong> ${files.map(({ path, label }) => html`<a href="../${path}" download>${label}</a> `)}</p>
`,
  )}
${table('Income by year (UTC)', ['Year', 'Amount', 'Value'], rows)}
<p>Values are those at the end of each day. <a href="../index.html#method">Method</a></p>`;
}
