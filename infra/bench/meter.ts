/** Meters handlers while they run here: DynamoDB's units, and their standard output. */

import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { listen } from '../devnet/listen.ts';

/** A proxy in front of the engine that makes DynamoDB's answers include their consumed capacity, and notes each `table:Action`. */
export async function startMeter(upstream: string, latencyMs = 0) {
  const used = { requests: 0, reads: 0, writes: 0 };
  const actions = new Set<string>();
  const server = createServer(async (request, response) => {
    const sent = (await json(request)) as { TableName?: string; RequestItems?: object };
    const [, action] = String(request.headers['x-amz-target']).split('.');
    for (const table of [sent.TableName ?? Object.keys(sent.RequestItems ?? {})].flat())
      actions.add(`${table}:${action}`);
    await wait(latencyMs);
    const { 'content-length': _, host: __, connection: ___, ...headers } = request.headers as Record<string, string>;
    const answer = await fetch(upstream, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...sent, ReturnConsumedCapacity: 'TOTAL' }),
    });
    const body = await answer.text();
    // For a batch, a list with one element per table.
    const consumed: { CapacityUnits: number }[] = [JSON.parse(body).ConsumedCapacity ?? []].flat();
    const units = consumed.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
    used.requests += 1;
    used[/^(Get|Query)/.test(action ?? '') ? 'reads' : 'writes'] += units;
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
  });
  return {
    ...(await listen(server)),
    actions,
    take() {
      const taken = { ...used };
      Object.assign(used, { requests: 0, reads: 0, writes: 0 });
      return taken;
    },
  };
}

/** Runs `work`, measures its time and captures its standard output. */
export async function withOutput<Result>(work: () => Promise<Result>) {
  const { write } = process.stdout;
  const chunks: string[] = [];
  process.stdout.write = (chunk: string | Uint8Array) => {
    chunks.push(Buffer.from(chunk as Uint8Array).toString());
    return true;
  };
  const started = performance.now();
  try {
    const result = await work();
    return { result, ms: performance.now() - started, output: chunks.join('') };
  } finally {
    process.stdout.write = write;
  }
}

/** The custom metrics in log lines of CloudWatch's embedded format, by name and dimensions. */
export function metricsIn(output: string): Set<string> {
  const lines = output.split('\n').filter((line) => line.includes('"CloudWatchMetrics"'));
  return new Set(
    lines.flatMap((line) => {
      const fields = JSON.parse(line);
      const [{ Dimensions, Metrics }] = fields._aws.CloudWatchMetrics;
      const values = Dimensions[0].map((dimension: string) => fields[dimension]);
      return Metrics.map(({ Name }: { Name: string }) => [Name, ...values].join(' '));
    }),
  );
}
