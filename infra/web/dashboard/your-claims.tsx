import { searched } from './activity.tsx';
import type { AddressRewards } from './bodies.ts';
import { Card } from './card.tsx';
import { counted } from './format.ts';
import { Identifier } from './identifier.tsx';
import { Quantity, When } from './quantity.tsx';
import type { Loaded } from './sources.ts';
import { Table } from './table.tsx';

/** The claims of GGP rewards, complete if the ledger is. */
export function Claims({ path, rewards }: { path: string; rewards: Loaded<AddressRewards> }) {
  const { claims, claimedTotal, coverage } = rewards.body ?? {};
  return (
    <Card
      id="your-claims"
      title="Reward claims"
      about={coverage && searched(coverage)}
      from={[rewards]}
      lines={5}
      csv={coverage?.complete === false ? undefined : `stakers/${path}/activity?type=ggpRewardsClaimed&limit=1000`}
    >
      {claims === undefined ? (
        <p class="empty">Claims are not available at the moment.</p>
      ) : claims.length === 0 ? (
        <p class="empty">No claims were found in these blocks.</p>
      ) : (
        <>
          <Table
            caption="Reward claims of this address"
            columns={['Date', { number: 'Paid out' }, { number: 'Restaked' }, 'Transaction']}
            rows={claims.map((claim) => ({
              key: claim.txHash,
              cells: [
                <When at={claim.timestamp} />,
                <Quantity of={claim.amount} unit="GGP" />,
                <Quantity of={claim.restaked} unit="GGP" />,
                <Identifier id={claim.txHash} kind="tx" />,
              ],
            }))}
          />
          {claimedTotal !== undefined && (
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
