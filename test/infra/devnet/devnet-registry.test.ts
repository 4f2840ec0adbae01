import { describe, expect, it } from '@jest/globals';
import { solidityPackedKeccak256, ZeroAddress } from 'ethers';
import { DEVNET_ADDRESSES } from '../../../infra/devnet/devnet.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';
import { useDevnet } from './devnet-started.ts';

const started = useDevnet(0);

describe('the addresses', () => {
  it('all have code, and match the network configuration', async () => {
    expect(started.devnet.addresses).toEqual(DEVNET_ADDRESSES);
    for (const address of Object.values(DEVNET_ADDRESSES)) {
      expect(((await started.client.rpc.send('eth_getCode', address, 'latest')) as string).length).toBeGreaterThan(100);
    }
    expect(NETWORKS.devnet).toMatchObject({
      chainId: started.devnet.chainId,
      storage: DEVNET_ADDRESSES.Storage,
      withdrawQueue: DEVNET_ADDRESSES.WithdrawQueue,
      wavax: DEVNET_ADDRESSES.WAVAX,
      usdc: [DEVNET_ADDRESSES.USDC],
      avaxUsdFeed: DEVNET_ADDRESSES.AvaxUsdFeed,
      multicall3: DEVNET_ADDRESSES.Multicall3,
    });
  });

  it('are in the same order as on mainnet: GGP, ggAVAX, WAVAX, USDC', async () => {
    const { TokenGGP, WAVAX, USDC } = DEVNET_ADDRESSES;
    const order = [TokenGGP, await started.client.registered('TokenggAVAX'), WAVAX, USDC].map((address) =>
      BigInt(address),
    );
    expect(order).toEqual([...order].sort((a, b) => (a < b ? -1 : 1)));
  });
});

describe('the registry', () => {
  it.each([
    ['TokenggAVAX', '0x13c0a196ca34b7f475a02760d809820f3604ea08a2c8e8ce8ee60c18d59e575b'],
    ['TokenGGP', '0x5cc9cafdbd0adae32e87f1b08207f13b1d74fbc5bcf96509d8da300b7763089d'],
    ['ClaimNodeOp', '0x3a90add7b2014f2f499a8289306f1b25d73414bb54d662725400d8e2c5dc684b'],
    ['ClaimProtocolDAO', '0xb561135c96d72cece46bf60563cdd946bc148500a59e77054654805bd48b7397'],
    ['MinipoolManager', '0x817c4b3de237861e6f469d75ed1cda82d8bdda3182404c90d5f1beeef56e7190'],
    ['MultisigManager', '0xcda836d09bcf3adcec2f52ddddeceac31738a574d5063511c887064e499593df'],
    ['Ocyticus', '0x4238f04fbfd33bb6ec07134a0ee63af2a099ca833c06dd53cd56243946205050'],
    ['Oracle', '0xd3d6d1e709d869fb6a459cd0aec5a86677f2d46f99e7c23ce55005369bd7e950'],
    ['ProtocolDAO', '0x1b283d13a392113fba6f14af3a6c8594224f57d2c0b6b92b83e749bee624113f'],
    ['RewardsPool', '0x0adf8d677445c44cf86345b2e04ba53d1e685e2c5dc7c3b14af306e6b518111e'],
    ['Staking', '0x1fd5c98d15721c05974c9eb083e2ddfb645169a29b91b634eb69c27b1c5bfc07'],
    ['Vault', '0xcbd1c5b0c4d42cdfd729ee182f5c8992c7d923b770e4f43f682303afa9a8eb08'],
  ])('maps %s to its address and back under the documented keys', async (name, key) => {
    const storage = async (method: string, ...args: unknown[]) =>
      (await started.client.readAt('Storage', DEVNET_ADDRESSES.Storage, method, args))[0];
    const keyOf = (prefix: string, type: string, value: string) =>
      solidityPackedKeccak256(['string', type], [prefix, value]);
    const address = await storage('getAddress', key);
    expect(address).not.toBe(ZeroAddress);
    expect(await storage('getString', keyOf('contract.name', 'address', address))).toBe(name);
    expect(await storage('getBool', keyOf('contract.exists', 'address', address))).toBe(true);
    expect(await storage('getBool', keyOf('contract.paused', 'string', name))).toBe(false);
  });

  it('returns the zero address for a name that is not registered', async () => {
    expect(await started.client.registered('WithdrawQueue')).toBe(ZeroAddress);
  });

  it('pointed at another MinipoolManager until day 25', async () => {
    const before = await started.client.registered('MinipoolManager', await started.blockOnDay(24));
    const after = await started.client.registered('MinipoolManager', await started.blockOnDay(25));
    expect(before).not.toBe(after);
    expect(after).toBe(await started.client.registered('MinipoolManager'));
    const code = await started.client.rpc.send(
      'eth_getCode',
      after,
      `0x${(await started.blockOnDay(24)).toString(16)}`,
    );
    expect(code).toBe('0x');
  });
});
