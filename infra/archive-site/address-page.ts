import type { Bodies } from '../../functions/index.ts';
import { declarationOf } from '../../lib/ledger/events/entry-types.ts';
import { day, withUnit } from '../site/pages/dashboard/format.ts';
import { type Html, html } from './html.ts';
import { link, type Page, table } from './layout.ts';

type Account = Bodies['/accounts/{address}'];
type Income = Bodies['/accounts/{address}/income'];
type Event = Bodies['/activity']['activity'][number];

/** Files for taxes of one year: what each is called, and its name. */
export interface TaxFile {
  year: number;
  label: string;
  path: string;
}

type Call = Pick<NonNullable<Account['availableNow']>[number], 'function' | 'contract' | 'arguments'>;

export interface Person {
  account: Account;
  /** By the checksummed address. */
  contractNames: ReadonlyMap<string, string>;
  /** In USD and in EUR; undefined of who never had ggAVAX, GGP or minipools. */
  income: { usd: Income; eur: Income } | undefined;
  taxFiles: readonly TaxFile[];
  /** The newest events. */
  events: readonly Event[];
  /** The answers that are about the address. */
  answers: readonly string[];
}

const SOURCES: Record<string, string> = {
  ggAvax: 'Growth of ggAVAX',
  minipools: 'Minipools',
  ggp: 'GGP rewards',
};

/** The page of an address: what it had, what it could take out, what it earned, its files and its newest events. */
export function addressPage({ account, contractNames, income, taxFiles, events, answers }: Person): Page {
  const { address } = account;
  return {
    title: address,
    about: `What ${address} had in GoGoPool / Hypha on Avalanche, and what it earned each year.`,
    up: '../',
    content: html`<h2>What it had</h2>
${table('Holdings', ['Holding', 'Amount', 'Remark'], holdings(account))}
<h2>What it could take out</h2>
${waysOut(account, contractNames)}
<h2 id="income">What it earned</h2>
${income && income.usd.totals.length > 0 ? incomeTable(income, taxFiles) : html`<p>No income is recorded for this address.</p>`}
<h2>Newest events</h2>
${events.length > 0 ? table('Newest events', ['Date', 'Event', 'Transaction'], events.map(eventRow)) : html`<p>No events of ggAVAX, GGP stakes or minipools.</p>`}
<h2>All of its data</h2>
<p>Answers of the API, as JSON:</p>
<ul class="files">${answers.map(
      (file) => html`<li>${link(`../${file}`, file.slice('api/'.length))}</li>
`,
    )}</ul>`,
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
}: Account) {
  const rows: (readonly [string, string | undefined, string?])[] = [
    ['ggAVAX (stAVAX)', ggAvax.balance, `worth ${ggAvax.avax} AVAX`],
    ['GGP staked', staking?.ggpStaked],
    ['GGP rewards, not claimed', staking?.ggpRewards],
    ['AVAX in minipools', minipools?.stakedAVAX, minipools && `${minipools.count} minipools`],
    ['AVAX of ended minipools', minipools?.withdrawableAVAX],
    ['Pending withdrawals', withdrawals.pendingAVAX, `AVAX, ${withdrawals.pending} requests`],
    ['Claimable withdrawals', withdrawals.claimableAVAX, 'AVAX'],
    ['Expired withdrawals', withdrawals.expiredAVAX, `AVAX, ${withdrawals.expired} requests`],
    ['pstAVAX', pstAvax],
    ['xGGP', xGgp?.shares, xGgp && `worth ${xGgp.ggp} GGP`],
    ['xAVAX', xAvax?.shares, xAvax && `worth ${xAvax.avax} AVAX`],
    ...locked.map(
      ({ token, amount, until }) =>
        [`Locked ${token}`, amount, until === undefined ? 'no end of the lock' : `until ${day(until)}`] as const,
    ),
  ];
  const had = rows.filter(([, amount]) => amount !== undefined && amount !== '0');
  const total = totalAVAX === undefined ? 'unknown' : `${totalAVAX} AVAX`;
  return [
    ...had,
    ['Everything together', total, totalUSD === undefined ? '' : `worth ${withUnit(totalUSD, 'USD')}`] as const,
  ];
}

function waysOut({ availableNow = [] }: Account, names: Person['contractNames']): Html {
  if (availableNow.length === 0) return html`<p>Nothing, at that block.</p>`;
  const call = ({
    function: name,
    contract,
    arguments: args,
  }: Call) => html`<li><code>${name}</code> of ${names.get(contract)} <code>${contract}</code>${args.length === 0 ? undefined : html`, with <code>${args.join(', ')}</code>`}</li>
`;
  const ways = availableNow.map(
    ({
      amount,
      token,
      steps,
      ...only
    }) => html`<li><strong>${amount} ${token}</strong><ol>${(steps ?? [only]).map(call)}</ol></li>
`,
  );
  return html`<ul class="ways">${ways}</ul>
<p>Each entry paid for itself, its transactions in their order. Arguments change with every block.
<a href="../index.html#get-it-out">How to send a transaction</a></p>`;
}

function incomeTable({ usd, eur }: { usd: Income; eur: Income }, taxFiles: readonly TaxFile[]): Html {
  const rows = usd.totals.map(({ year, source, amount, token, value, missingPrices }, place) => {
    const euros = eur.totals[place]?.value;
    return [
      `${year}, ${SOURCES[source]}`,
      `${amount} ${token}`,
      value === undefined ? 'unknown' : withUnit(value, 'USD'),
      euros === undefined ? 'unknown' : withUnit(euros, 'EUR'),
      missingPrices === 0 ? '' : `${missingPrices} without a price`,
    ];
  });
  const years = [...Map.groupBy(taxFiles, ({ year }) => year)];
  return html`${table('Income by year (UTC)', ['Year and source', 'Amount', 'USD', 'EUR', 'Remark'], rows)}
<p>Values are those at the end of each day. <a href="../index.html#method">Method</a>.</p>
${years.map(
  ([
    year,
    files,
  ]) => html`<p class="downloads"><strong>${year}</strong> ${files.map(({ path, label }) => html`<a href="../${path}" download>${label}</a> `)}</p>
`,
)}`;
}

function eventRow({ timestamp, type, txHash }: Event) {
  return [day(timestamp), declarationOf(type).label, html`<code>${txHash}</code>`];
}
