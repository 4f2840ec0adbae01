import { parseUnits } from 'ethers';
import { call, createBlockWriter, type Transaction } from '../chain.ts';
import { DAY, FIRST_DAY, LAST_DAY, SLOT, SLOTS_PER_DAY } from './calendar.ts';
import { createExchanges } from './exchanges.ts';
import { foundProtocol, fundPeople, type Stage } from './founding.ts';
import { governanceSteps } from './governance.ts';
import { liquidStakingSteps, readExchangeRate } from './liquid-staking.ts';
import { createMarket } from './market.ts';
import { minipoolSteps } from './minipool-steps.ts';
import { MINIPOOLS } from './minipools.ts';
import { operatorSteps } from './operators.ts';
import { otherHoldingSteps } from './other-holdings.ts';
import { createRandom } from './random.ts';

const SLOTS = (LAST_DAY - FIRST_DAY) * SLOTS_PER_DAY;
const TENTH = Math.floor(SLOTS / 10);

/** The parts of the scenario that go on after the end of the history. */
export type Present = Awaited<ReturnType<typeof writeHistory>>;

/**
 * Writes the whole scenario, so that its last block is at `now`. Blocks come every two hours during the last `historyDays` days, each with at least a step of the market; before that
 * only where something happens. The events are the same for every `historyDays`.
 */
export async function writeHistory(
  stage: Stage,
  { now, historyDays, onProgress }: { now: number; historyDays: number; onProgress: (line: string) => void },
) {
  const { rpc, protocol, startOfDay0 } = stage;
  const market = createMarket(createRandom('devnet/market'));
  const exchanges = createExchanges(stage, createRandom('devnet/exchanges'));
  const prices = Array.from({ length: SLOTS + 1 }, () => market.advance(1 / SLOTS_PER_DAY));
  const pricesOn = (day: number) => prices[Math.round((day - FIRST_DAY) * SLOTS_PER_DAY)] ?? market.prices;
  const lastPush = LAST_DAY - 1;
  const oraclePriceOn = (day: number) => pricesOn(Math.floor(Math.min(day, lastPush))).ggpInAVAX;

  const steps = [
    ...governanceSteps(stage),
    ...liquidStakingSteps(stage),
    ...operatorSteps(stage, oraclePriceOn),
    ...otherHoldingSteps(stage),
    ...MINIPOOLS.flatMap((row) => minipoolSteps(row, stage)),
  ].sort((a, b) => a.day - b.day);
  const writer = createBlockWriter(rpc);

  for (let slot = 0; slot <= SLOTS; slot++) {
    if (slot % TENTH === 0) onProgress(`Devnet: history ${Math.round((100 * slot) / SLOTS)} %`);
    const day = FIRST_DAY + slot / SLOTS_PER_DAY;
    const daily = Number.isInteger(day) && day <= lastPush;
    const due = steps.splice(0, steps.filter((step) => step.day <= day).length);
    if (!daily && due.length === 0 && day < LAST_DAY - historyDays) continue;

    const timestamp = startOfDay0 + day * DAY;
    const transactions: Transaction[] = day === FIRST_DAY ? [...foundProtocol(stage), ...fundPeople(stage)] : [];
    if (daily) transactions.push(...pushPrices(stage, day, timestamp, pricesOn(day).ggpInAVAX));
    transactions.push(...exchanges.open(day, pricesOn(day)));
    for (const step of due) transactions.push(...(await step.transactions(writer.read)));
    const ggAvaxInAVAX = daily && day > FIRST_DAY ? await readExchangeRate(writer.read, protocol) : undefined;
    transactions.push(exchanges.move(day, { ...pricesOn(day), ggAvaxInAVAX }));
    await writer.mine(timestamp, transactions);
  }
  if (now > startOfDay0 + LAST_DAY * DAY)
    await writer.mine(now, [exchanges.move(LAST_DAY, market.advance(1 / SLOTS_PER_DAY))]);
  await writer.finish();
  return { market, exchanges };
}

/** Day 0 of a scenario whose present is `now`: 90 days before the last two-hour boundary. */
export const dayZero = (now: number) => Math.floor(now / SLOT) * SLOT - LAST_DAY * DAY;

/** A day's prices from outside: the oracle's and the euro's. */
function pushPrices({ protocol, people }: Stage, day: number, timestamp: number, ggpInAVAX: number): Transaction[] {
  const eurInUSD = 1.12 + 0.03 * Math.sin(day / 11);
  return [
    call(people.rialto, protocol.Oracle, 'setGGPPriceInAVAX', [parseUnits(ggpInAVAX.toFixed(12), 18), timestamp]),
    call(people.keeper, protocol.EurUsdFeed, 'transmit', [parseUnits(eurInUSD.toFixed(8), 8)]),
  ];
}
