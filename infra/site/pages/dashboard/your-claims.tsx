import type { AddressRewards } from './bodies.ts';
import { Card } from './card.tsx';
import { gapIn } from './coverage.ts';
import { counted } from './format.ts';
import { Identifier } from './identifier.tsx';
import { pathOf, withQuery } from './paths.ts';
import { Quantity, When } from './quantity.tsx';
import type { Loaded } from './sources.ts';
import { Table } from './table.tsx';

/** The claims of GGP rewards. */
export function Claims({ address, rewards }: { address: string; rewards: Loaded<AddressRewards> }) {
  const { claims, claimedTotal, coverage } = rewards.body ?? {};
  const path = pathOf('/stakers/{address}/activity', address);
  return (
    <Card
      id="your-claims"
      title="Reward claims"
      about={coverage && gapIn(coverage)}
      from={[rewards]}
      lines={5}
      csv={coverage?.complete === false ? undefined : withQuery(path, { type: 'ggpRewardsClaimed', limit: 1_000 })}
    >
      {claims === undefined ? (
        <p class="empty">Claims are not available at the moment.</p>
      ) : (
        <>
          <Table
            caption="Reward claims of this address"
            of={claims}
            keyOf={({ txHash }) => txHash}
            empty={`No claims were found${coverage && !coverage.complete ? ' in these blocks' : ''}.`}
            columns={[
              ['Date', ({ timestamp }) => <When at={timestamp} />],
              ['Paid out', ({ amount }) => <Quantity of={amount} unit="GGP" />, 'number'],
              ['Restaked', ({ restaked }) => <Quantity of={restaked} unit="GGP" />, 'number'],
              ['Transaction', ({ txHash }) => <Identifier id={txHash} kind="tx" />],
            ]}
          />
          {claimedTotal !== undefined && claims.length > 0 && (
            <p class="quiet">
              {'Claimed in total: '}
              <Quantity of={claimedTotal} unit="GGP" />
              {` in ${counted(claims.length, 'claim')}.`}
            </p>
          )}
        </>
      )}
    </Card>
  );
}
