import type { Bodies } from '../../../../functions/index.ts';
import { titleOf } from './links.ts';
import { Table } from './table.tsx';

/** Names and whole addresses of contracts, to be compared with those in a wallet. */
export function ContractTable({ contracts }: Pick<Bodies['/contracts'], 'contracts'>) {
  return (
    <Table
      caption="Contracts"
      rows={contracts}
      columns={[
        ['Contract', ({ name }) => titleOf(name)],
        ['Address', ({ address }) => <code>{address}</code>, 'wide'],
      ]}
    />
  );
}
