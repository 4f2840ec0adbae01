import { namePeople, type People } from '../../infra/local/devnet/scenario/people.ts';
import { type Client, createClient } from '../local/devnet-client.ts';

/** The devnet that all tests share, as its contracts answer for themselves. */
export interface Chain extends Client {
  people: People;
}

export async function openChain(url = process.env.DEVNET_RPC_URL as string): Promise<Chain> {
  const client = createClient(url);
  return { ...client, people: namePeople((await client.rpc.send('eth_accounts')) as string[]) };
}
