import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { type LocalServer, listen } from '../local/listen.ts';

/**
 * A chain provider that asks the real one only what it has not been asked before, and repeats its answers after this
 * latency. A node on the same machine takes the processors from what is measured; one that is elsewhere does not.
 */
export async function startRecordedChain(upstream: string, latencyMs: number): Promise<LocalServer> {
  const answers = new Map<string, Promise<Buffer>>();
  const ask = async (body: string) => {
    const answer = await fetch(upstream, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return Buffer.from(await answer.arrayBuffer());
  };
  const server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming);
    const answer = answers.get(body) ?? ask(body);
    answers.set(body, answer);
    await pause(latencyMs);
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(await answer);
  });
  return listen(server);
}
