import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import cors from '@middy/http-cors';
import { Contract, formatEther, JsonRpcProvider, MaxUint256, Network, parseEther } from 'ethers';

/**
 * What `npm run bench:cold` compares with: `/ggAvax` as one writes it by hand, with ethers' own provider and contracts,
 * middy, CORS and a TTL cache in DynamoDB. The names of its fields are those of its views.
 */

const FRESH_SECONDS = 30;
const ONE = parseEther('1');
const { RPC_URL, CHAIN_ID, POOL, DAO, QUEUE, WAVAX, CACHE_TABLE } = process.env as Record<string, string>;

const network = Network.from(Number(CHAIN_ID));
const provider = new JsonRpcProvider(RPC_URL, network, { staticNetwork: network });
const pool = new Contract(
  POOL as string,
  [
    'function name() view returns (string)',
    'function symbol() view returns (string)',
    'function totalAssets() view returns (uint256)',
    'function totalSupply() view returns (uint256)',
    'function totalReleasedAssets() view returns (uint256)',
    'function stakingTotalAssets() view returns (uint256)',
    'function amountAvailableForStaking() view returns (uint256)',
    'function lastRewardsAmt() view returns (uint192)',
    'function lastSync() view returns (uint32)',
    'function rewardsCycleEnd() view returns (uint32)',
    'function rewardsCycleLength() view returns (uint32)',
    'function convertToAssets(uint256 shares) view returns (uint256)',
    'function convertToShares(uint256 assets) view returns (uint256)',
    'function redeemAVAX(uint256 shares) returns (uint256)',
  ],
  provider,
);
const dao = new Contract(
  DAO as string,
  [
    'function getTargetGGAVAXReserveRate() view returns (uint256)',
    'function getFeeBips() view returns (uint256)',
    'function getContractPaused(string contractName) view returns (bool)',
  ],
  provider,
);
const queue = new Contract(
  QUEUE as string,
  [
    'function totalAllocatedFunds() view returns (uint256)',
    'function unstakeDelay() view returns (uint48)',
    'function MIN_EXPIRATION_DELAY() view returns (uint48)',
    'function maxExpirationDelay() view returns (uint48)',
    'function paused() view returns (bool)',
    'function getFulfilledRequestsCount() view returns (uint256)',
    'function getAllPendingRequests() view returns (uint256[])',
    'function getRequestInfo(uint256 requestId) view returns ((address requester, uint256 shares, uint256 expectedAssets, uint48 requestTime, uint48 claimableTime, uint48 expirationTime, uint256 allocatedFunds))',
  ],
  provider,
);
const wavax = new Contract(WAVAX as string, ['function balanceOf(address owner) view returns (uint256)'], provider);
const table = new DynamoDBClient();

async function read(): Promise<object> {
  const [ofPool, ofDao, ofQueue, liquid, redeemable, pending, block] = await Promise.all([
    viewsOf(pool, { convertToAssets: [ONE], convertToShares: [ONE] }, ['redeemAVAX']),
    viewsOf(dao, { getContractPaused: ['TokenggAVAX'] }),
    viewsOf(queue, {}, ['getAllPendingRequests', 'getRequestInfo']),
    wavax.getFunction('balanceOf')(POOL),
    pool
      .getFunction('redeemAVAX')
      .staticCall(MaxUint256 >> 128n)
      .catch(() => undefined),
    queue.getFunction('getAllPendingRequests')(),
    provider.getBlock('latest'),
  ]);
  const requests = await Promise.all(pending.map((id: bigint) => queue.getFunction('getRequestInfo')(id)));
  const expected = requests.reduce((sum, { expectedAssets }) => sum + expectedAssets, 0n);
  return {
    ...{ ...ofPool, ...ofDao, queue: ofQueue, redeemable: String(redeemable), availableAVAX: formatEther(liquid) },
    ...{ pendingRequests: requests.length, pendingAVAX: formatEther(expected) },
    block: { number: block?.number, timestamp: block?.timestamp },
  };
}

/** What the views of a contract answer, by name. Amounts stay in wei. */
async function viewsOf(contract: Contract, args: Record<string, unknown[]>, without: string[] = []) {
  const names: string[] = [];
  contract.interface.forEachFunction(({ name }) => without.includes(name) || names.push(name));
  const values = await Promise.all(names.map((name) => contract.getFunction(name)(...(args[name] ?? []))));
  return Object.fromEntries(names.map((name, index) => [name, String(values[index])]));
}

async function answer() {
  const key = { pk: { S: 'by-hand/ggAvax' } };
  const now = Math.floor(Date.now() / 1_000);
  const { Item } = await table.send(new GetItemCommand({ TableName: CACHE_TABLE, Key: key }));
  if (Number(Item?.expiresAt?.N) > now) return { statusCode: 200, body: Item?.body?.S };
  const body = JSON.stringify(await read());
  const item = { ...key, body: { S: body }, expiresAt: { N: String(now + FRESH_SECONDS) } };
  await table.send(new PutItemCommand({ TableName: CACHE_TABLE, Item: item }));
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body };
}

export const handler = middy().use(cors()).handler(answer);
