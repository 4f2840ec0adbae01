import { expect, it } from '@jest/globals';
import { DEVNET_ADDRESSES } from '../../../infra/devnet/devnet.ts';
import { useDevnet } from './devnet-started.ts';

/** What tests rely on without a word, and nothing else would notice. */

const started = useDevnet(0);

it('addresses are in the same order as on mainnet: GGP, ggAVAX, WAVAX, USDC', async () => {
  const { TokenGGP, WAVAX, USDC } = DEVNET_ADDRESSES;
  const order = [TokenGGP, await started.client.registered('TokenggAVAX'), WAVAX, USDC].map((address) =>
    BigInt(address),
  );
  expect(order).toEqual([...order].sort((a, b) => (a < b ? -1 : 1)));
});

it('the registry pointed at another MinipoolManager until day 25', async () => {
  const before = await started.client.registered('MinipoolManager', await started.blockOnDay(24));
  const after = await started.client.registered('MinipoolManager', await started.blockOnDay(25));
  expect(before).not.toBe(after);
  expect(after).toBe(await started.client.registered('MinipoolManager'));
  const code = await started.client.rpc.send('eth_getCode', after, `0x${(await started.blockOnDay(24)).toString(16)}`);
  expect(code).toBe('0x');
});
