import { getCreateAddress, solidityPackedKeccak256 } from 'ethers';
import { call, createBlockWriter, type Transaction } from './chain.ts';
import { loadArtifacts } from './compile.ts';
import type { Devnet } from './devnet.ts';
import { abiOf, create, describeProtocol } from './protocol.ts';
import { connect } from './rpc.ts';

/** Number of records that fit the gas of one transaction. */
const STAKERS_PER_TRANSACTION = 100;
const MINIPOOLS_PER_TRANSACTION = 40;

/** Every block keeps a copy of the state, which grows large here: few blocks. */
const TRANSACTIONS_PER_BLOCK = 120;

/**
 * Adds stakers and minipools to a devnet, for measurements at the size of a large network. The records are written straight
 * into Storage, and agree with each other; each minipool is owned by one of the new stakers. Not for a live devnet: its node would ask
 * the history's node for each of the new records first.
 */
export async function seedScale(
  devnet: Pick<Devnet, 'url'>,
  { stakers, minipools }: { stakers: number; minipools: number },
): Promise<void> {
  const rpc = connect(devnet.url);
  try {
    const artifacts = await loadArtifacts();
    const { Storage, MultisigManager, Staking } = describeProtocol(artifacts);
    const writer = createBlockWriter(rpc);
    const [guardian] = await writer.read(Storage, 'getGuardian');
    const [rialto] = await writer.read(MultisigManager, 'requireNextActiveMultisig');
    const [firstStaker] = await writer.read(Staking, 'getStakerCount');
    const nonce = Number(await rpc.send('eth_getTransactionCount', guardian, 'latest'));
    const seeder = { address: getCreateAddress({ from: guardian, nonce }), abi: abiOf(artifacts, 'Seeder') };
    const registered = solidityPackedKeccak256(['string', 'address'], ['contract.exists', seeder.address]);

    const transactions: Transaction[] = [
      create(artifacts, guardian, 'Seeder', [Storage.address, rialto]),
      call(guardian, Storage, 'setBool', [registered, true]),
      ...portions(stakers, STAKERS_PER_TRANSACTION).map((count) => call(guardian, seeder, 'addStakers', [count])),
      ...portions(minipools, MINIPOOLS_PER_TRANSACTION).map((count) =>
        call(guardian, seeder, 'addMinipools', [count, firstStaker]),
      ),
    ];
    await rpc.send('evm_setAutomine', false);
    let { timestamp } = (await rpc.send('eth_getBlockByNumber', 'latest', false)) as { timestamp: number };
    for (let first = 0; first < transactions.length; first += TRANSACTIONS_PER_BLOCK) {
      timestamp = Number(timestamp) + 1;
      await writer.mine(timestamp, transactions.slice(first, first + TRANSACTIONS_PER_BLOCK));
    }
    await writer.finish();
    await rpc.send('evm_setAutomine', true);
  } finally {
    rpc.close();
  }
}

/** `total` split into portions of `size`; the last one may be smaller. */
function portions(total: number, size: number): number[] {
  return Array.from({ length: Math.ceil(total / size) }, (_, index) => Math.min(size, total - index * size));
}
