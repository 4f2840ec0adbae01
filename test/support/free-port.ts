import { createServer } from 'node:http';
import { listen } from '../../infra/devnet/listen.ts';

/** A port of 127.0.0.1 that nothing listens on at this moment, for programs that have to be told one. */
export async function freePort(): Promise<number> {
  const { url, stop } = await listen(createServer());
  await stop();
  return Number(new URL(url).port);
}
