import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { listen } from '../../infra/devnet/listen.ts';

/**
 * A port of 127.0.0.1 that nothing listens on at this moment, for programs that have to be told one. It is below those that a
 * system gives to others meanwhile (from 32,768 on): a program may take half a minute to listen.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const server = await listen(createServer(), port).catch(() => undefined);
  await server?.stop();
  return server ? port : freePort();
}
