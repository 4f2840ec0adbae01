import type {
  ApyPoint,
  Cycle,
  History,
  Metrics,
  MetricsPoint,
  PricesPoint,
  Staker,
  Validators,
  Withdrawals,
} from './bodies.ts';
import { bars, drawChart } from './charts.ts';
import { amount, day, duration, element, facts, moment, name, percent, table } from './format.ts';
import type { Panel } from './panel.ts';

/** What is on the page, in its order. */

const STATUS_TEXT = {
  active: 'The protocol is active.',
  winding_down: 'The protocol is winding down: nothing is staked with minipools any more.',
  paused: 'The protocol is paused.',
};

const COLLATERAL_STEPS = [0, 10, 50, 100, 150, 300, Number.POSITIVE_INFINITY];
const ROWS = 5;

export const PANELS: readonly Panel[] = [
  { id: 'figures', paths: ['metrics'], draw: drawFigures },
  {
    id: 'rate',
    paths: ['metrics/history'],
    draw: (place, { points }: History<MetricsPoint>) =>
      drawChart(place, {
        title: 'AVAX per ggAVAX',
        x: points.map(({ timestamp }) => timestamp),
        series: [{ label: 'Rate', unit: 'AVAX', values: points.map(({ exchange_rate }) => exchange_rate) }],
      }),
  },
  {
    id: 'yield',
    paths: ['metrics/apy/history'],
    draw: (place, { points }: History<ApyPoint>) =>
      drawChart(place, {
        title: 'Yearly yield of ggAVAX after fees',
        x: points.map(({ timestamp }) => timestamp),
        series: [
          { label: '28 days', unit: '%', values: points.map(({ apy_28d }) => apy_28d) },
          { label: '7 days', unit: '%', values: points.map(({ apy_7d }) => apy_7d) },
        ],
      }),
  },
  {
    id: 'price-history',
    paths: ['prices/history'],
    draw: (place, { points }: History<PricesPoint>) =>
      drawChart(place, {
        title: 'Prices of AVAX and GGP',
        x: points.map(({ timestamp }) => timestamp),
        series: [
          { label: 'AVAX', unit: 'USD', values: points.map(({ avaxInUSD }) => avaxInUSD) },
          { label: 'GGP', unit: 'USD (right)', values: points.map(({ ggpInUSD }) => ggpInUSD) },
        ],
      }),
  },
  { id: 'locked', paths: ['metrics'], draw: drawValueLocked },
  { id: 'minipools', paths: ['metrics'], draw: drawMinipools },
  { id: 'cycle', paths: ['rewards/cycle'], draw: drawCycle },
  { id: 'queue', paths: ['withdrawals?limit=8'], draw: drawQueue },
  { id: 'collateral', paths: ['stakers?sort=ggpStaked&limit=500'], draw: drawCollateral },
  { id: 'validators', paths: ['validators?protocol=true&sort=stake&limit=100'], draw: drawValidators },
];

function drawFigures(place: HTMLElement, metrics: Metrics): void {
  const figure = (label: string, value: Node) =>
    element('div', { class: 'figure' }, element('dt', {}, label), element('dd', {}, value));
  place.replaceChildren(
    element(
      'dl',
      { class: 'figures' },
      figure('Yearly yield of ggAVAX', amount(metrics.ggavax_apy, '%')),
      figure('One ggAVAX', amount(metrics.exchange_rate, 'AVAX')),
      figure('Value locked', amount(metrics.tvl_usd, 'USD')),
      figure('Liquid staking pool', amount(metrics.total_assets, 'AVAX')),
      figure('GGP staked', amount(metrics.total_ggp_staked, 'GGP')),
      figure('AVAX', amount(metrics.avax_price_in_usd, 'USD')),
      figure('GGP', amount(metrics.ggp_price_in_usd, 'USD')),
    ),
    element(
      'p',
      { class: 'quiet' },
      `${STATUS_TEXT[metrics.status]} State of block ${metrics.block.number}, ${moment(metrics.block.timestamp)}.`,
    ),
  );
}

function drawValueLocked(place: HTMLElement, metrics: Metrics): void {
  const { tvl_avax: all, total_assets: pool, total_avax_staked: operators } = metrics;
  if (all === undefined || pool === undefined) {
    place.replaceChildren(element('p', { class: 'empty' }, 'Not all of it is known at the moment.'));
    return;
  }
  const parts: [string, number][] = [
    ['Liquid staking pool', pool],
    ["Operators' AVAX", operators],
    ['GGP and the rest', Math.max(0, all - pool - operators)],
  ];
  place.replaceChildren(
    element('p', {}, 'In all ', amount(all, 'AVAX'), ', nothing counted twice.'),
    bars(parts.map(([label, value]) => ({ label, value, shown: amount(value, 'AVAX') }))),
  );
}

function drawMinipools(place: HTMLElement, { minipools, node_operator_count }: Metrics): void {
  const entries = Object.entries(minipools).map(([label, value]) => ({ label, value, shown: String(value) }));
  const total = entries.reduce((sum, { value }) => sum + value, 0);
  place.replaceChildren(
    element('p', {}, `${total} minipools so far; ${node_operator_count} operators have AVAX in one now.`),
    bars(entries),
  );
}

function drawCycle(place: HTMLElement, { number, startTime, seconds, totalAmt, next, block }: Cycle): void {
  if (startTime === undefined || !seconds || !next) {
    place.replaceChildren(element('p', { class: 'empty' }, 'No cycle has begun.'));
    return;
  }
  const passed = Math.min(1, Math.max(0, (block.timestamp - startTime) / seconds));
  const progress = element('progress', {
    max: '1',
    value: String(passed),
    'aria-label': 'Part of the cycle that has passed',
  });
  const wait = next.startsAt - block.timestamp;
  place.replaceChildren(
    progress,
    element(
      'p',
      { class: 'quiet' },
      wait > 0
        ? `${percent(passed * 100)} have passed; the next one may begin in ${duration(wait)}.`
        : `It has ended; the next one could have begun ${duration(-wait)} ago.`,
    ),
    facts([
      ['Cycle', number === undefined ? '–' : `${number}, since ${day(startTime)}`],
      ['Paid out for it', amount(totalAmt, 'GGP')],
      ['Next one, projected', amount(next.totalAmt, 'GGP')],
    ]),
  );
}

function drawQueue(place: HTMLElement, { withdrawQueue, requests, total }: Withdrawals): void {
  const rows = requests.map(({ requestId, expectedAssets, claimableTime, status }) => [
    String(requestId),
    amount(expectedAssets, 'AVAX'),
    status,
    day(claimableTime),
  ]);
  place.replaceChildren(
    facts([
      ['Waiting', amount(withdrawQueue?.pendingAVAX, 'AVAX')],
      ['Set aside', amount(withdrawQueue?.allocatedAVAX, 'AVAX')],
    ]),
    rows.length > 0
      ? table('Open withdrawals', ['No.', 'Amount', 'Status', 'Claimable'], rows)
      : element('p', { class: 'empty' }, 'Nobody is waiting.'),
    ...(total > rows.length ? [element('p', { class: 'quiet' }, `${total - rows.length} more.`)] : []),
  );
}

function drawCollateral(place: HTMLElement, { stakers, total }: { stakers: Staker[]; total: number }): void {
  const assigned = stakers.flatMap(({ collateralPercent }) => collateralPercent ?? []);
  const steps = COLLATERAL_STEPS.slice(0, -1).map((from, index) => {
    const to = COLLATERAL_STEPS[index + 1] as number;
    const value = assigned.filter((collateral) => collateral >= from && collateral < to).length;
    return { label: Number.isFinite(to) ? `${from} to ${to} %` : `${from} % and more`, value, shown: String(value) };
  });
  const idle = stakers.length - assigned.length;
  place.replaceChildren(
    element('p', {}, 'Stakers by what their GGP is worth, in percent of the AVAX that is assigned to them.'),
    bars([...steps, { label: 'no AVAX assigned', value: idle, shown: String(idle) }]),
    ...(total > stakers.length ? [element('p', { class: 'quiet' }, `The ${stakers.length} largest of ${total}.`)] : []),
  );
}

function drawValidators(place: HTMLElement, { validators, total }: Validators): void {
  if (validators.length === 0) {
    place.replaceChildren(element('p', { class: 'empty' }, 'No validator of the protocol is active.'));
    return;
  }
  const byStake = validators.toSorted((a, b) => Number(a.amountStaked) - Number(b.amountStaked));
  const chart = element('div');
  const rows = validators
    .slice(0, ROWS)
    .map(({ nodeID, amountStaked, uptimePercent }) => [
      name(nodeID),
      amount(amountStaked, 'AVAX'),
      uptimePercent === undefined ? '–' : percent(uptimePercent),
    ]);
  place.replaceChildren(
    element('p', {}, `${total} active validators of the protocol, by stake and uptime.`),
    chart,
    table('The largest validators of the protocol', ['Node', 'Stake', 'Uptime'], rows),
  );
  drawChart(chart, {
    title: 'Uptime of validators by stake',
    x: byStake.map(({ amountStaked }) => Number(amountStaked)),
    axis: { label: 'Stake', unit: 'AVAX' },
    scattered: true,
    series: [{ label: 'Uptime', unit: '%', values: byStake.map(({ uptimePercent }) => uptimePercent) }],
  });
  place.dataset.points = chart.dataset.points ?? '0';
}
