import type { Position } from './bodies.ts';
import { Card } from './card.tsx';
import { Facts } from './facts.tsx';
import { percent } from './format.ts';
import { Amount, Quantity, When } from './quantity.tsx';
import type { Loaded } from './sources.ts';

/** The ggAVAX of an address: what it is worth, and what it has earned in all. */
export function YourPosition({ position }: { position: Loaded<Position> }) {
  return (
    <Card
      id="your-position"
      title="ggAVAX"
      about="What this address holds, and what it brought"
      from={[position]}
      lines={6}
    >
      {position.body && <Worth {...position.body} />}
    </Card>
  );
}

function Worth(position: Position) {
  const { ggAvax, avax, usd, sharePercent, rewardsAVAX, rewardsUSD, averageAprPercent, since, unstaking, coverage } =
    position;
  // What has come and gone is known whole or not at all.
  const flows: Partial<Position> = coverage.complete ? position : {};
  const unknown = coverage.complete ? 'its newest blocks are not searched yet' : 'not all of its past is searched yet';
  return (
    <Facts
      big
      of={[
        [
          'Balance',
          <Amount of={ggAvax} unit="ggAVAX" />,
          sharePercent === undefined ? '' : `${percent(sharePercent)} of all`,
        ],
        ['Worth', <Amount of={avax} unit="AVAX" />, usd !== undefined && <Quantity of={usd} unit="USD" />],
        [
          'Earned in total',
          <Amount of={rewardsAVAX} unit="AVAX" />,
          rewardsAVAX === undefined ? unknown : <InUSD of={rewardsUSD} />,
        ],
        [
          'Average yield',
          <Amount of={averageAprPercent} unit="%" />,
          since === undefined ? (
            'a year'
          ) : (
            <>
              a year, since <When at={since} />
            </>
          ),
        ],
        ['Deposited', <Amount of={flows.deposited} unit="AVAX" />],
        [
          'Withdrawn',
          <Amount of={flows.withdrawn} unit="AVAX" />,
          unstaking.requests > 0 && 'with what is in the queue',
        ],
        [
          'Transferred in',
          <Amount of={flows.transferredIn} unit="AVAX" />,
          <>
            and out <Quantity of={flows.transferredOut} unit="AVAX" />
          </>,
        ],
        [
          'In the withdrawal queue',
          <Amount of={unstaking.ggAvax} unit="ggAVAX" />,
          unstaking.requests > 0 && (
            <>
              for <Quantity of={unstaking.expectedAVAX} unit="AVAX" />
            </>
          ),
        ],
      ]}
    />
  );
}

function InUSD({ of }: { of: number | undefined }) {
  return of === undefined ? <>not every day’s price in USD is known</> : <Quantity of={of} unit="USD" />;
}
