import type { Bodies } from '../../functions/index.ts';
import { bundleName } from '../../lib/archive/bundle-name.ts';
import type { Manifest } from '../../lib/archive/manifest.ts';
import type { TableSpec } from '../../lib/archive/table-spec.ts';
import { day, fileSize, firstSentence, short, withUnit } from '../site/pages/dashboard/format.ts';
import { chart } from './chart.ts';
import { type Html, html } from './html.ts';
import { link, type Page, table } from './layout.ts';

/** Content of the first page. */
export interface Overview {
  metrics: Bodies['/metrics'];
  /** All days, oldest first. */
  days: Bodies['/metrics/history']['points'];
  contracts: Bodies['/contracts']['contracts'];
  /** Numbers of addresses and nodes that have a page. */
  addresses: number;
  nodes: number;
  manifest: Manifest;
  kinds: readonly TableSpec[];
}

/** The first page: search, figures, how to get funds out, the files, the method, and how to verify it all. */
export function indexPage(overview: Overview): Page {
  const { addresses, nodes } = overview;
  return {
    title: 'GoGoPool / Hypha on Avalanche: the archive',
    about:
      'What everybody had and earned in GoGoPool, later Hypha, a liquid staking protocol on Avalanche, and all of its data.',
    up: '',
    content: html`<form id="search" role="search">
<label for="subject">Your address, or the node of a minipool</label>
<input id="subject" name="subject" autocomplete="off" spellcheck="false" placeholder="0x… or NodeID-…" required>
<button>Find</button>
<p id="found" role="status"></p>
</form>
<p>Shows what it had, what it earned each year with files for taxes, what it could take out, and its history. ${short(addresses)} addresses and ${short(nodes)} nodes are here.
Or choose from a list: addresses that begin with ${[...'0123456789abcdef'].map((digit) => html`${link(`lists/${digit}.html`, `0x${digit}`)}, `)}or ${link('lists/nodes.html', 'all nodes')}.</p>
<h2>The protocol on ${day(overview.manifest.block.timestamp)}</h2>
${figures(overview)}
${charts(overview)}
${wayOut(overview)}
${files(overview)}
${METHOD}
${VERIFY}
<script src="search.js" defer></script>`,
  };
}

function figures({ metrics }: Overview): Html {
  const all: [string, number | undefined, string][] = [
    ['AVAX in the pool', metrics.total_assets, 'AVAX'],
    ['Supply of ggAVAX (stAVAX)', metrics.total_supply, 'ggAVAX'],
    ['Value of one ggAVAX', metrics.exchange_rate, 'AVAX'],
    ['Yield of ggAVAX, a year', metrics.ggavax_apy, '%'],
    ['Total value locked', metrics.tvl_usd, 'USD'],
    ['GGP staked', metrics.total_ggp_staked, 'GGP'],
    ['GGP stakers since the start', metrics.staker_count, ''],
    ['Minipools since the start', metrics.minipool_count, ''],
  ];
  return html`<dl class="figures">${all.map(
    ([
      name,
      value,
      unit,
    ]) => html`<div><dt>${name}</dt><dd>${value === undefined ? 'unknown' : withUnit(value, unit)}</dd></div>
`,
  )}</dl>`;
}

function charts({ days }: Overview): Html {
  const of = (value: (day: Overview['days'][number]) => number | undefined) =>
    days.flatMap((day) => {
      const known = value(day);
      return known === undefined ? [] : { timestamp: day.timestamp, value: known };
    });
  return html`<div class="charts">
${chart(
  'Value of one ggAVAX',
  'AVAX',
  of(({ exchange_rate }) => exchange_rate),
)}
${chart(
  'AVAX in the pool',
  'AVAX',
  of(({ total_assets }) => total_assets),
)}
${chart(
  'Total value locked',
  'USD',
  of(({ tvl_usd }) => tvl_usd),
)}
${chart(
  'GGP staked',
  'GGP',
  of(({ total_ggp_staked }) => total_ggp_staked),
)}
</div>
<p>From <a href="metrics-daily.csv">metrics-daily.csv</a>.</p>`;
}

/** The way to withdraw funds. It stays valid after the export: contracts do not change their rules on a date. */
function wayOut({ contracts }: Overview): Html {
  return html`<h2 id="get-it-out">How to get your funds out</h2>
<p>The contracts pay whoever asks them. No website is needed for it, and nobody needs your recovery phrase.</p>
<ol>
<li>Find your address above. <em>What it could take out</em> lists the transactions that paid something at that block: contract, function and arguments.</li>
<li>Open the contract in a block explorer of Avalanche’s C-Chain that sends transactions, such as snowtrace.io or snowscan.xyz. Compare its address with the list below.</li>
<li>Read the contract first, because this is a copy: <code>balanceOf</code> of your address for ggAVAX, pstAVAX, xGGP and xAVAX, <code>getGGPStake</code> of <code>Staking</code>, <code>getUserLock</code> of <code>AssetLocker</code>. Amounts are whole numbers in wei: 1.5 is 1500000000000000000.</li>
<li>Choose <em>Write contract</em>, or <em>Write as proxy</em> where there is that tab, and connect your wallet with the address that has the funds, on the C-Chain (chain ID 43114). It needs a little AVAX for the fee.</li>
<li>Open the function and enter its arguments. ggAVAX: <code>redeemAVAX(shares)</code> of <code>TokenggAVAX</code>. A fulfilled request: <code>claimUnstake(requestId)</code> of <code>WithdrawQueue</code>; a pending one: <code>cancelRequest(requestId)</code>, then redeem. GGP: <code>withdrawGGP(amount)</code> of <code>Staking</code>. GGP rewards: <code>claimAndRestake(amount)</code> of <code>ClaimNodeOp</code> with the amount that <code>getGGPRewards</code> of <code>Staking</code> returns, which pays all and restakes nothing (0 would pay nothing and stake all). An ended minipool: <code>withdrawMinipoolFunds(nodeID)</code> of <code>MinipoolManager</code>. No AVAX is sent along.</li>
<li>Before you confirm, compare the address that your wallet shows with that of the contract. If the simulation in your wallet fails, do not send.</li>
</ol>
<details><summary>Addresses of the ${contracts.length} contracts</summary>
${table(
  'Contracts',
  ['Contract', 'Address'],
  contracts.map(({ name, address }) => [name, html`<code>${address}</code>`]),
)}
</details>`;
}

function files({ manifest, kinds }: Overview): Html {
  const ofFormat = (stem: string, format: string) => {
    const file = manifest.files.find(({ name }) => name === `${stem}.${format.toLowerCase()}`);
    return file && html`<a href="${file.name}" download>${format}</a> <span>${fileSize(file.bytes)}</span><br>`;
  };
  const rows = manifest.files.flatMap(({ name, kind, rows = 0 }) => {
    const table = kinds.find((one) => one.name === kind);
    if (!table || !name.endsWith('.csv')) return [];
    const stem = name.replace(/\.csv$/, '');
    const about = html`${stem}<small>${firstSentence(table.meaning)}</small>`;
    return [[about, short(rows), html`${['CSV', 'Parquet'].map((format) => ofFormat(stem, format))}`]];
  });
  const bundle = bundleName(manifest.day);
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  return html`<h2 id="files">All data, to download</h2>
<p><a href="${bundle}" download>All tables in one file</a> (${bundle}, ${fileSize(bytes)} unpacked). Each table is there twice: CSV for
everything, Parquet for programs. <a href="README.md">README.md</a> explains every column, <a href="manifest.json">manifest.json</a> has every hash.</p>
<p>Answers of the API are in the folder <code>api</code>: what was at <code>/metrics</code> is <a href="api/metrics.json">api/metrics.json</a>.
<a href="api/openapi.json">api/openapi.json</a> explains every field.</p>
${table('Tables', ['Table', 'Rows', 'Download'], rows)}`;
}

const METHOD = html`<h2 id="method">Method and units</h2>
<ul>
<li>Amounts are exact: whole tokens with up to 18 decimals. Years and days are UTC. Times in data files are UTC or Unix seconds.</li>
<li>Growth of ggAVAX on a day is the value at its end, less that at its start, plus what went out, less what came in, each at the redemption rate of its block.</li>
<li>Income of a minipool counts when its cycle ended, GGP when its rewards cycle was distributed, claimed or not.</li>
<li>USD and EUR are at the prices at the end of the UTC day. A day without a recorded price has no value, and is counted.</li>
<li>Everything is from the chain.</li>
</ul>`;

const VERIFY = html`<h2 id="verify">How to verify it</h2>
<ol>
<li><code>manifest.json</code> has the SHA-256 of every table, and of <code>website.sha256</code>, which has that of every other file: <code>sha256sum --check website.sha256</code>.</li>
<li>Each row of <code>events</code> names its transaction and log: look one up in a block explorer.</li>
<li>With the source of the service, at the commit in <code>manifest.json</code>: <code>npm run verify -- DIR</code> checks every hash, every answer against its schema, and that incomes add up to the events.</li>
</ol>`;
