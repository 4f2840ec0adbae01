import { createConfig } from 'ponder';
import { parseAbi } from 'viem';

/** Ponder has at most as many requests under way, and ends at 500 a second for each URL. */
const CONCURRENCY = 25;

const { CHAIN_ID, CONTRACTS, DATABASE_FOLDER, EVENTS, RPC_URL } = process.env as Record<string, string>;

export default createConfig({
  database: { kind: 'pglite', directory: DATABASE_FOLDER },
  chains: {
    // It begins with 20 requests a second for each URL, and reads no option for that (`maxRequestsPerSecond` has no effect). With the
    // same URL as often as it asks at a time, these are 500 a second from the start.
    chain: { id: Number(CHAIN_ID), rpc: Array(CONCURRENCY).fill(RPC_URL) },
  },
  contracts: {
    Protocol: { chain: 'chain', abi: parseAbi(JSON.parse(EVENTS)), address: JSON.parse(CONTRACTS), startBlock: 0 },
  },
});
