import { id, parseEther, parseUnits, solidityPackedKeccak256 } from 'ethers';
import { type Contract, call, create, type Transaction } from '../chain.ts';
import type { Artifacts } from '../compile.ts';
import { type ContractName, CREATION_ORDER, type Protocol } from '../protocol.ts';
import { executeAs } from './exchanges.ts';
import type { People } from './people.ts';
import { SETTING_KEYS } from './settings.ts';

/** GGP that exists when the scenario starts, after twenty reward cycles of inflation on the first 18 M. */
const GGP_SUPPLY = parseEther('19450000');
const GGP_PER_OPERATOR = parseEther('400000');

/** The market's inventory. */
const TRADER_GGP = parseEther('2000000');
const TRADER_AVAX = parseEther('400000');
const TRADER_GGAVAX = parseEther('8000');
const TRADER_USDC = parseUnits('20000000', 6);

/** The modules behind the registry's twelve names, in the protocol's first days. */
const REGISTRY: Record<string, ContractName> = {
  ProtocolDAO: 'ProtocolDAO',
  Vault: 'Vault',
  TokenGGP: 'TokenGGP',
  TokenggAVAX: 'TokenggAVAX',
  MultisigManager: 'MultisigManager',
  Oracle: 'Oracle',
  Staking: 'Staking',
  MinipoolManager: 'MinipoolManagerV4',
  RewardsPool: 'RewardsPool',
  ClaimNodeOp: 'ClaimNodeOp',
  ClaimProtocolDAO: 'ClaimProtocolDAO',
  Ocyticus: 'Ocyticus',
};

/** What each contract's constructor takes; none for those not listed. */
function constructorArguments({ Storage, WAVAX, TokenggAVAX }: Protocol, people: People) {
  const ofModule = [Storage.address];
  return {
    ...Object.fromEntries(Object.values(REGISTRY).map((name) => [name, ofModule])),
    MinipoolManager: ofModule,
    Storage: [people.guardian],
    TokenGGP: [Storage.address, people.guardian, GGP_SUPPLY],
    TokenggAVAX: [Storage.address, WAVAX.address, people.guardian],
    AvaxUsdFeed: ['AVAX / USD'],
    WithdrawQueue: [TokenggAVAX.address, people.guardian, people.rialto],
  } as Partial<Record<ContractName, unknown[]>>;
}

/** Creates the contracts whose turn it is, from `first` to `last` in the order of creation. */
export function createContracts(
  artifacts: Artifacts,
  protocol: Protocol,
  people: People,
  first: ContractName,
  last = first,
  args?: unknown[],
) {
  const from = CREATION_ORDER.findIndex(([name]) => name === first);
  const to = CREATION_ORDER.findIndex(([name]) => name === last);
  const known = constructorArguments(protocol, people);
  return CREATION_ORDER.slice(from, to + 1).map(([name, artifact]): Transaction => {
    const bytecode = artifacts[artifact]?.bytecode ?? '0x';
    return create(people.deployer, bytecode, protocol[name].abi, args ?? known[name] ?? [], `creation of ${name}`);
  });
}

/** Everything of the first block but the pools: contracts, registry, settings, roles and the first funds. */
export function foundProtocol(artifacts: Artifacts, protocol: Protocol, people: People): Transaction[] {
  const { Storage, ProtocolDAO, MultisigManager, TokenGGP, TokenggAVAX, WAVAX, USDC, Trader } = protocol;
  const { guardian, rialto, keeper } = people;
  const byTrader = (target: Contract, method: string, args: unknown[], value?: bigint) =>
    executeAs(protocol, keeper, target, method, args, value);
  const { deployer, guardian: _, rialto: __, keeper: ___, ...public_ } = people;
  return [
    ...createContracts(artifacts, protocol, people, 'Storage', 'Trader'),
    // ProtocolDAO registers the others, so it comes first and by hand.
    call(guardian, Storage, 'setBool', [registryKey('contract.exists', ProtocolDAO.address), true]),
    ...Object.entries(REGISTRY).map(([name, contract]) =>
      call(guardian, ProtocolDAO, 'registerContract', [name, protocol[contract].address]),
    ),
    ...SETTING_KEYS.map(([key, value]) => call(guardian, Storage, 'setUint', [key, value])),
    call(guardian, Storage, 'setBool', [id('ProtocolDAO.WithdrawForDelegationEnabled'), true]),
    call(guardian, MultisigManager, 'registerMultisig', [rialto]),
    call(guardian, MultisigManager, 'enableMultisig', [rialto]),
    call(guardian, TokenggAVAX, 'grantRole', [id('SYNC_REWARDS_ROLE'), keeper]),
    call(guardian, TokenGGP, 'transfer', [Trader.address, TRADER_GGP]),
    ...Object.values(public_).map((person) => call(guardian, TokenGGP, 'transfer', [person, GGP_PER_OPERATOR])),
    ...Object.values(public_).map((person) =>
      call(person, TokenGGP, 'approve', [protocol.Staking.address, 2n ** 256n - 1n]),
    ),
    byTrader(WAVAX, 'deposit', [], TRADER_AVAX),
    byTrader(TokenggAVAX, 'depositAVAX', [], TRADER_GGAVAX),
    byTrader(USDC, 'mint', [Trader.address, TRADER_USDC]),
  ];
}

/** keccak256(abi.encodePacked(prefix, address)), as Storage's registry is keyed. */
function registryKey(prefix: string, address: string): string {
  return solidityPackedKeccak256(['string', 'address'], [prefix, address]);
}
