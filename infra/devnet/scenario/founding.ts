import { encodeBytes32String, id, parseEther, parseUnits, solidityPackedKeccak256 } from 'ethers';
import { type ContractName, CREATION_ORDER } from '../addresses.ts';
import { call, type Transaction } from '../chain.ts';
import type { Artifacts } from '../compile.ts';
import { codeOf, create, type Protocol } from '../protocol.ts';
import type { Rpc } from '../rpc.ts';
import type { People } from './people.ts';
import { SETTING_KEYS } from './settings.ts';

/** GGP that exists when the scenario starts, after twenty reward cycles of inflation on the first 18 M. */
const GGP_SUPPLY = parseEther('19450000');
const GGP_PER_PERSON = parseEther('400000');

/** The market's inventory. */
const TRADER_GGP = parseEther('2000000');
const TRADER_AVAX = parseEther('400000');
const TRADER_GGAVAX = parseEther('8000');
const TRADER_USDC = parseUnits('20000000', 6);

/** The rewards of the years before the scenario: given to the market's ggAVAX, they bring the rate to about 1.18. */
const EARLIER_REWARDS = parseEther('1430');

/** The modules that the registry names, and with them, another MinipoolManager at first. */
const MODULES = [
  ...['ProtocolDAO', 'Vault', 'TokenGGP', 'TokenggAVAX', 'Oracle', 'Staking', 'RewardsPool', 'ClaimNodeOp'],
  ...['FirstMinipoolManager', 'MultisigManager', 'ClaimProtocolDAO'],
] as ContractName[];

/** The contracts and the people, the node they are on, and the time of day 0 (unix seconds). */
export interface Stage {
  rpc: Rpc;
  artifacts: Artifacts;
  protocol: Protocol;
  people: People;
  startOfDay0: number;
}

/** The rest is created later in the scenario. */
const FOUNDED = CREATION_ORDER.slice(0, CREATION_ORDER.indexOf('MinipoolManager'));

function constructorArguments(name: ContractName, { protocol, people }: Stage): unknown[] {
  const { Storage, WAVAX, TokenggAVAX, TokenGGP } = protocol;
  const others: Partial<Record<ContractName, unknown[]>> = {
    Storage: [people.guardian],
    TokenGGP: [Storage.address, people.guardian, GGP_SUPPLY],
    TokenggAVAX: [Storage.address, WAVAX.address, people.guardian],
    WithdrawQueue: [TokenggAVAX.address, people.rialto],
    TokenpstAVAX: [TokenggAVAX.address],
    XGGP: ['GGPVault', 'xGGP', TokenGGP.address, people.keeper],
    XAVAX: ['SeaFi AVAX Vault', 'xAVAX', WAVAX.address, people.keeper],
    AssetLocker: [people.guardian],
    MultisigManager: [],
    ClaimProtocolDAO: [],
  };
  const isModule = name === 'MinipoolManager' || MODULES.includes(name);
  return others[name] ?? (isModule ? [Storage.address] : []);
}

/** Creates a contract; it must be the next one in the order of creation. */
export function createContract(name: ContractName, stage: Stage): Transaction {
  return create(stage.artifacts, stage.people.deployer, codeOf(name), constructorArguments(name, stage));
}

/** The protocol as it starts: the first contracts, the registry, settings and roles. All GGP is the guardian's. */
export function foundProtocol(stage: Stage): Transaction[] {
  const { protocol, people } = stage;
  const { Storage, ProtocolDAO, TokenggAVAX } = protocol;
  const { guardian, rialto, keeper } = people;
  const isContract = solidityPackedKeccak256(['string', 'address'], ['contract.exists', ProtocolDAO.address]);
  return [
    ...FOUNDED.map((name) => createContract(name, stage)),
    // ProtocolDAO registers the others, so it gets its rights by hand.
    call(guardian, Storage, 'setBool', [isContract, true]),
    ...MODULES.map((name) =>
      call(guardian, ProtocolDAO, 'registerContract', [name.replace('First', ''), protocol[name].address]),
    ),
    ...SETTING_KEYS.map(([key, value]) => call(guardian, Storage, 'setUint', [key, value])),
    call(guardian, Storage, 'setBool', [id('ProtocolDAO.WithdrawForDelegationEnabled'), true]),
    call(guardian, Storage, 'setAddress', [id('multisig'), rialto]),
    call(guardian, TokenggAVAX, 'grantRole', [id('SYNC_REWARDS_ROLE'), keeper]),
  ];
}

/** Gives GGP to everybody, and the market its inventory. */
export function fundPeople({ protocol, people }: Stage): Transaction[] {
  const { Staking, TokenGGP, TokenggAVAX, WAVAX, USDC, Trader } = protocol;
  const { guardian, keeper } = people;
  // The deployer must not spend a nonce on anything but contracts.
  const everybody = Object.values(people).filter((person) => person !== people.deployer);
  return [
    call(guardian, TokenGGP, 'transfer', [Trader.address, TRADER_GGP]),
    ...everybody.map((person) => call(guardian, TokenGGP, 'transfer', [person, GGP_PER_PERSON])),
    ...everybody.map((person) => call(person, TokenGGP, 'approve', [Staking.address, 2n ** 256n - 1n])),
    call(keeper, WAVAX, 'deposit', [], TRADER_AVAX + TRADER_GGAVAX),
    call(keeper, WAVAX, 'transfer', [Trader.address, TRADER_AVAX]),
    call(keeper, WAVAX, 'approve', [TokenggAVAX.address, TRADER_GGAVAX]),
    call(keeper, TokenggAVAX, 'deposit', [TRADER_GGAVAX, Trader.address]),
    // As shares that are burnt, because rewards would stream to those who come in the two weeks after.
    call(keeper, TokenggAVAX, 'depositAVAX', [], EARLIER_REWARDS),
    call(keeper, TokenggAVAX, 'donateYield', [EARLIER_REWARDS, encodeBytes32String('EARLIER_REWARDS')]),
    call(keeper, USDC, 'mint', [Trader.address, TRADER_USDC]),
  ];
}
