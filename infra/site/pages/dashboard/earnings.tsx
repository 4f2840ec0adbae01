/** Earnings of an address with ggAVAX and with staked GGP. */

import type { Bodies } from '../../../../functions/index.ts';
import { Chart } from '../account/chart.tsx';
import { Facts, Quantity, When, Worth } from '../account/quantity.tsx';
import { Table } from '../account/table.tsx';
import { type Answer, useAnswer } from './answers.ts';
import { Card } from './card.tsx';
import { day, percent } from './format.ts';
import { pathOf, withQuery } from './paths.ts';
import { gapIn } from './timeline.tsx';

/** The ggAVAX of an address: its value, its earnings and where it came from. */
export function Position({ position }: { position: Answer<Bodies['/ggAvax/{address}']> }) {
  const { body } = position;
  const path = withQuery(pathOf('/ggAvax/{address}/rewards', body?.address ?? ''), { interval: '1mo' });
  const months = useAnswer(body && path);
  return (
    <Card id="position" title="ggAVAX" about={body && gapIn(body.coverage)} answers={[position]} csv={path}>
      {body && (
        <Facts
          facts={[
            ['Balance', <Quantity amount={body.ggAvax} unit="ggAVAX" />],
            ['Value', <Quantity amount={body.avax} unit="AVAX" />, <Worth usd={body.usd} eur={body.eur} />],
            [
              'Earned in total',
              <Quantity amount={body.rewardsAVAX} unit="AVAX" />,
              body.rewardsUSD !== undefined && [
                <Quantity key="usd" amount={body.rewardsUSD} unit="USD" />,
                body.usdFrom !== undefined && ` since ${day(body.usdFrom)}, when prices begin`,
              ],
            ],
            ['Average yield (APR)', <Quantity amount={body.averageAprPercent} unit="%" />],
            ['Since', <When time={body.since} />],
            ['Deposited', <Quantity amount={body.deposited} unit="AVAX" />],
            ['Redeemed or claimed', <Quantity amount={body.receivedAVAX} unit="AVAX" />],
            ['Transferred in', <Quantity amount={body.transferredIn} unit="AVAX" />, 'with what the queue returned'],
            ['Transferred out', <Quantity amount={body.transferredOut} unit="AVAX" />],
          ]}
        />
      )}
      {months.body && (
        <Chart title="Earned by month" unit="AVAX" days={months.body.days} figureOf={({ rewardAVAX }) => rewardAVAX} />
      )}
    </Card>
  );
}

/** A node operator's stake, and its next rewards. */
export function Stake({ staker, address }: { staker: Answer<Bodies['/stakers/{address}']>; address: string }) {
  const rewards = useAnswer(pathOf('/rewards/{address}', address));
  const { ggpStaked, minimumGGPStake, avaxStaked, avaxAssigned, collateralPercent } = staker.body ?? {};
  const { eligible, eligibleAt, estimatedGGPReward, cycle, claimedTotal, ggpLockedUntil = 0 } = rewards.body ?? {};
  const isMatched = Number(avaxAssigned) > 0;
  return (
    <Card id="stake" title="Stake" about="GGP staked as collateral for minipools" answers={[staker, rewards]}>
      <Facts
        facts={[
          [
            'GGP staked',
            <Quantity amount={ggpStaked} unit="GGP" />,
            ggpLockedUntil * 1_000 > Date.now() ? `locked until ${day(ggpLockedUntil)}` : '',
          ],
          isMatched && ['Minimum for the assigned AVAX', <Quantity amount={minimumGGPStake} unit="GGP" />],
          ['Operator’s AVAX', <Quantity amount={avaxStaked} unit="AVAX" />],
          isMatched && ['AVAX from liquid stakers', <Quantity amount={avaxAssigned} unit="AVAX" />],
          isMatched && ['Collateral', collateralPercent === undefined ? '–' : percent(collateralPercent)],
          [
            'Eligible for rewards',
            eligible === undefined ? '–' : eligible ? 'Yes' : 'No',
            !eligible && eligibleAt !== undefined && `from ${day(eligibleAt)}`,
          ],
          [
            'Next reward (estimate)',
            <Quantity amount={estimatedGGPReward} unit="GGP" />,
            cycle && `${day(cycle.startsAt)} or later`,
          ],
          ['Claimed in total', <Quantity amount={claimedTotal} unit="GGP" />],
        ]}
      />
    </Card>
  );
}

/** Payments of each rewards cycle to a staker, with their value then. */
export function Cycles({ address }: { address: string }) {
  const path = pathOf('/rewards/{address}/cycles', address);
  const answer = useAnswer(path);
  const { cycles = [], coverage } = answer.body ?? {};
  return (
    <Card
      id="cycles"
      title="GGP by rewards cycle"
      about="What each distribution paid, claimed or not, and its value at the end of that day"
      answers={[answer]}
      csv={coverage?.complete ? path : undefined}
    >
      <Table
        caption="GGP that rewards cycles paid to this address"
        rows={cycles}
        empty="No distribution to this address is recorded."
        columns={[
          ['Cycle', ({ number }) => number],
          ['Start', ({ startTime }) => <When time={startTime} />],
          ['Paid', ({ ggp }) => <Quantity amount={ggp} unit="GGP" />, 'number'],
          ['Value', ({ usd }) => <Quantity amount={usd} unit="USD" />, 'number'],
        ]}
      />
    </Card>
  );
}
