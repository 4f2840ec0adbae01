import { ApiFailure, get } from './api.ts';
import type { Reward } from './bodies.ts';
import { drawChart } from './charts.ts';
import { amount, duration, element, facts, percent } from './format.ts';

/** What a node operator would earn: the numbers are the API's, for the typed amounts and for a few others on the curve. */

const PAUSE_MS = 400;
/** Collateral, in percent, that the curve is drawn through. */
const CURVE = [0, 5, 10, 25, 50, 75, 100, 125, 150, 175, 200];

const REASONS: Record<string, string> = {
  NO_AVAX_STAKED: 'Without AVAX in a minipool there is no reward.',
  BELOW_MINIMUM_COLLATERAL: 'The GGP is worth less than the minimum of 10 % of the AVAX, so it earns nothing.',
  NOTHING_TO_DISTRIBUTE: 'Nothing is distributed any more: the supply of GGP has reached its maximum.',
  AMOUNT_TOO_SMALL: 'The amount is too small to earn a wei.',
};

let latest: AbortController | undefined;
let pause: ReturnType<typeof setTimeout> | undefined;

/** Answers what is typed, a moment after the last key. */
export function startCalculator(): void {
  const form = document.querySelector('#calculator form') as HTMLFormElement;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(() => answer(form), PAUSE_MS);
  });
  void answer(form);
}

async function answer(form: HTMLFormElement): Promise<void> {
  latest?.abort();
  latest = new AbortController();
  const { signal } = latest;
  const typed = new FormData(form);
  const [ggpStaked, avaxStaked] = ['ggpStaked', 'avaxStaked'].map((field) => String(typed.get(field)).trim()) as [
    string,
    string,
  ];
  const place = document.querySelector('#calculator .content') as HTMLElement;
  const curve = document.querySelector('#curve') as HTMLElement;
  try {
    const { body } = await ask(ggpStaked, avaxStaked, signal);
    place.replaceChildren(...describe(body));
    await drawCurve(curve, avaxStaked, body, signal);
  } catch (error) {
    if (signal.aborted) return;
    const message = error instanceof ApiFailure ? error.message : 'This cannot be computed.';
    place.replaceChildren(element('p', { class: 'problem', role: 'alert' }, message));
    curve.replaceChildren();
  }
}

function ask(ggpStaked: string, avaxStaked: string, signal: AbortSignal) {
  return get<Reward>(`rewards/byStake?${new URLSearchParams({ ggpStaked, avaxStaked })}`, signal);
}

function describe(reward: Reward): Node[] {
  const { ggpReward, ggpRewardPerYear, avaxReward, apy, collateralPercent, reason } = reward;
  const entries: [string, Node | string][] = [
    ['GGP in the next cycle', amount(ggpReward, 'GGP')],
    ['GGP in a year', amount(ggpRewardPerYear, 'GGP')],
    ['Collateral', collateralPercent === undefined ? 'no AVAX' : percent(collateralPercent)],
    ['Yearly yield of both', amount(apy, '%')],
  ];
  if (avaxReward) {
    const { nodeOperator, cycleSeconds } = avaxReward;
    entries.push([`AVAX of a validation of ${duration(cycleSeconds)}`, amount(nodeOperator, 'AVAX')]);
  }
  const list = facts(entries);
  list.dataset.ggpReward = ggpReward;
  return reason ? [list, element('p', { class: 'quiet' }, REASONS[reason] ?? reason)] : [list];
}

/** The reward against collateral, for the same AVAX. */
async function drawCurve(
  place: HTMLElement,
  avaxStaked: string,
  { ggpPriceInAVAX }: Reward,
  signal: AbortSignal,
): Promise<void> {
  const price = Number(ggpPriceInAVAX);
  if (!(Number(avaxStaked) > 0) || !(price > 0)) {
    place.replaceChildren();
    return;
  }
  const amounts = CURVE.map((collateral) => ((Number(avaxStaked) * collateral) / 100 / price).toFixed(6));
  const rewards = await Promise.all(amounts.map((ggp) => ask(ggp, avaxStaked, signal)));
  drawChart(place, {
    title: 'GGP of the next cycle by collateral',
    x: CURVE,
    axis: { label: 'Collateral', unit: '%' },
    series: [{ label: 'Reward', unit: 'GGP', values: rewards.map(({ body }) => Number(body.ggpReward)) }],
  });
}
