import type { Position } from './bodies.ts';
import { Card } from './card.tsx';
import { type Fact, Facts } from './facts.tsx';
import { difference, moment, percent } from './format.ts';
import { Amount, Quantity, When, Worth } from './quantity.tsx';
import type { Loaded } from './sources.ts';

const UNREAD = 'the newest blocks are still being indexed';

/** The ggAVAX of an address: its value and its total earnings. */
export function YourPosition({ position }: { position: Loaded<Position> }) {
  return (
    <Card
      id="your-position"
      title="ggAVAX"
      about={
        position.body &&
        `Balance and earnings at block ${position.body.block.number}, ${moment(position.body.block.timestamp)}`
      }
      from={[position]}
      lines={6}
    >
      {position.body && <PositionFacts {...position.body} />}
    </Card>
  );
}

function PositionFacts(position: Position) {
  const { ggAvax, avax, usd, eur, sharePercent, rewardsAVAX, unstaking, returned, coverage } = position;
  const unknown = coverage.complete ? UNREAD : 'history is incomplete';
  const isReturned = coverage.complete && Number(returned) > 0;
  return (
    <Facts
      big
      of={[
        [
          'Balance',
          <Amount of={ggAvax} unit="ggAVAX" />,
          sharePercent === undefined ? '' : `${percent(sharePercent)} of all ggAVAX`,
        ],
        ['Value', <Amount of={avax} unit="AVAX" />, usd !== undefined && <Worth usd={usd} eur={eur} />],
        [
          'Earned in total',
          <Amount of={rewardsAVAX} unit="AVAX" />,
          rewardsAVAX === undefined ? unknown : <Earned {...position} />,
        ],
        ...(coverage.complete ? pastFacts(position) : []),
        [
          'In the withdrawal queue',
          <Amount of={unstaking.ggAvax} unit="ggAVAX" />,
          <>
            {unstaking.requests > 0 && (
              <>
                for <Quantity of={unstaking.expectedAVAX} unit="AVAX" />
              </>
            )}
            {unstaking.requests > 0 && isReturned && '; '}
            {isReturned && (
              <>
                returned as ggAVAX: <Quantity of={returned} unit="AVAX" />
              </>
            )}
          </>,
        ],
      ]}
    />
  );
}

/** Deposits, payments, transfers and the yield: correct only if the whole history is indexed. */
function pastFacts(position: Position): Fact[] {
  const { averageAprPercent, since, deposited, receivedAVAX, transferredIn, returned, transferredOut } = position;
  return [
    [
      'Average yield (APR)',
      <Amount of={averageAprPercent} unit="%" />,
      since !== undefined && (
        <>
          since <When at={since} />
        </>
      ),
    ],
    ['Deposited', <Amount of={deposited} unit="AVAX" />],
    [
      'Received',
      <Amount of={receivedAVAX} unit="AVAX" />,
      position.partial?.includes('receivedAVAX') ? UNREAD : 'redeemed or claimed',
    ],
    [
      'Transferred in',
      <Amount of={difference(transferredIn, returned)} unit="AVAX" />,
      <>
        out: <Quantity of={transferredOut} unit="AVAX" />
      </>,
    ],
  ];
}

/** The earnings in USD, and in EUR if both sums begin on the same day. */
function Earned({ rewardsUSD, usdFrom, rewardsEUR, eurFrom }: Position) {
  if (rewardsUSD === undefined) return <>the USD price of the latest day is not available</>;
  return (
    <>
      <Worth usd={rewardsUSD} eur={eurFrom === usdFrom ? rewardsEUR : undefined} />
      {usdFrom !== undefined && (
        <>
          {' since '}
          <When at={usdFrom} />, when prices begin
        </>
      )}
    </>
  );
}
