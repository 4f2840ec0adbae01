import type { APIGatewayProxyResult } from 'aws-lambda';
import { ENDPOINTS } from '../../functions/index.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { chainOf } from '../../lib/chain/chain.ts';
import { ledgerOf } from '../../lib/ledger/ledger-store.ts';
import { LedgerRecorder, type LedgerRunReport } from '../../lib/ledger/record-ledger.ts';
import { readConfig } from '../../lib/runtime/config.ts';
import { type Context, createContext } from '../../lib/runtime/context.ts';
import type { Telemetry } from '../../lib/runtime/telemetry.ts';
import { useDynamoDB } from '../local/dynamodb.ts';
import { lambdaContext, proxyEvent } from '../local/event.ts';

/** Environment variables that point at the upstreams and tables. */
type Env = Record<string, string>;

/** A new container on the devnet: it remembers nothing yet. */
export function openContainer(env: Env, telemetry: Telemetry): Context {
  useDynamoDB(env);
  const config = readConfig({ ...process.env, NETWORK: 'devnet', MAX_HEAD_AGE_SECONDS: '0' });
  return createContext(config, telemetry);
}

/** Records all events of the devnet in the container's tables. */
export function recordLedger(context: Context): Promise<LedgerRunReport> {
  return new LedgerRecorder(chainOf(context), ledgerOf(context)).run({ mayGoOn: () => true });
}

interface Answered {
  ms: number;
  result: APIGatewayProxyResult;
}

/** Sends requests to the handler of an endpoint's file in that container; any answer will do. */
export function senderOf(file: string, context: Context, telemetry: Telemetry) {
  const endpoint = ENDPOINTS[file];
  if (!endpoint) throw new Error(`No endpoint has the file ${file}`);
  const handler = createHandler(endpoint, { telemetry, context: async () => context });
  return async (url = endpoint.exampleRequest as string, headers: Record<string, string> = {}): Promise<Answered> => {
    const event = proxyEvent(endpoint.path, { method: 'GET', url, headers });
    const started = performance.now();
    const result = await handler(event, lambdaContext());
    return { ms: performance.now() - started, result };
  };
}

/** Sends the example request of an endpoint's file to its handler in that container. Throws unless the answer is a 200. */
export function clientOf(file: string, context: Context, telemetry: Telemetry, headers: Record<string, string> = {}) {
  const send = senderOf(file, context, telemetry);
  return async (): Promise<Answered> => {
    const answered = await send(undefined, headers);
    const { statusCode, body } = answered.result;
    if (statusCode !== 200) throw new Error(`${ENDPOINTS[file]?.exampleRequest} answered ${statusCode}: ${body}`);
    return answered;
  };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

/** `median (minimum to maximum)` */
export function spread(values: readonly number[], digits = 0): string {
  const figures = [median(values), Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
  return `${figures[0]} (${figures[1]} to ${figures[2]})`;
}
