/**
 * A small client over `node:http(s)`. Not `fetch`: the first `fetch` of a process loads undici, 35 to 40 ms of a cold
 * start. Connections are kept alive, so a warm request costs one round trip.
 */

import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { VERSION } from '../../runtime/version.ts';
import { UpstreamFailure } from './failures.ts';

interface UpstreamRequest {
  url: string;
  /** Sent as a JSON POST; without it the request is a GET. */
  json?: unknown;
  headers?: Record<string, string>;
  timeoutMs: number;
}

/** Bytes: a batch of log ranges has a few MB. `JSON.parse` takes 2 s and 500 MB for as many nested brackets (2026-11). */
const MAX_RESPONSE_BYTES = 16_000_000;

/** Some gateways refuse requests without one. It names nobody. */
const USER_AGENT = `staking-data-service/${VERSION}`;

/** This machine, in Node's form of NO_PROXY. */
const LOOPBACK = 'localhost,127.0.0.1-127.255.255.255,::1,[::1]';
/** To one address of a host. Node's 250 ms fail if an IPv6 address leads nowhere and the IPv4 address is 300 ms away. */
const CONNECT_MS = 600;

/** With Node's own switch for its default agents, the proxy that the environment names is used here, too. */
const { NODE_USE_ENV_PROXY, ...env } = process.env;
const NO_PROXY = [env.no_proxy || env.NO_PROXY, LOOPBACK].filter(Boolean).join(',');
const AGENT_OPTIONS = {
  keepAlive: true,
  autoSelectFamilyAttemptTimeout: CONNECT_MS,
  ...(NODE_USE_ENV_PROXY === '1' && { proxyEnv: { ...env, NO_PROXY, no_proxy: NO_PROXY } }),
};

const agents = {
  'http:': new HttpAgent(AGENT_OPTIONS),
  'https:': new HttpsAgent(AGENT_OPTIONS),
};

/** Closes idle keep-alive connections, so that a process that has finished its work can exit. */
export function closeConnections(): void {
  for (const agent of Object.values(agents)) agent.destroy();
}

/** Sends one request. Throws {@link UpstreamFailure} on network errors and late or oversized answers, not on a status. */
export async function sendRequest(options: UpstreamRequest) {
  // One timer for the whole exchange: a socket time-out would let a server that sends a byte a second hang us.
  // `timeout` refuses fractions.
  const signal = AbortSignal.timeout(Math.ceil(options.timeoutMs));
  try {
    return await exchange(options, signal).catch((error: unknown) => {
      if (!(error instanceof StaleConnection)) throw error;
      // The server has closed an idle connection (a container may be frozen for minutes). The others are no better.
      for (const { freeSockets } of Object.values(agents)) {
        for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
      }
      return exchange(options, signal);
    });
  } catch (error) {
    if (error instanceof UpstreamFailure) throw error;
    const { name, code } = error as NodeJS.ErrnoException;
    const outcome = signal.aborted ? 'timeout' : 'network';
    throw new UpstreamFailure(outcome, { cause: new Error(REASONS[code ?? name] ?? code ?? name) });
  }
}

const CLOSED = 'connection closed';
/** The reasons of network errors, without the host and address that Node's messages name. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'name not found',
  EAI_AGAIN: 'name not found',
  ECONNREFUSED: 'connection refused',
  // A write fails with one of these before, and with the other after the peer's RST arrives.
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  ETIMEDOUT: 'connection timed out',
};

class StaleConnection extends Error {}

async function exchange({ url, json, headers }: UpstreamRequest, signal: AbortSignal) {
  // Undefined without `json`.
  const body: string | undefined = JSON.stringify(json);
  const target = new URL(url);
  const secure = target.protocol === 'https:';
  const request = (secure ? httpsRequest : httpRequest)(target, {
    agent: agents[secure ? 'https:' : 'http:'],
    method: body === undefined ? 'GET' : 'POST',
    signal,
    headers: {
      'user-agent': USER_AGENT,
      accept: 'application/json',
      'accept-encoding': 'gzip',
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...headers,
    },
  });
  // Also after the response has begun, when nobody else listens.
  request.on('error', () => {});
  request.end(body);
  const [response] = await once(request, 'response').catch((error: NodeJS.ErrnoException) => {
    throw request.reusedSocket && REASONS[error.code ?? ''] === CLOSED ? new StaleConnection() : error;
  });
  const { statusCode: status, headers: received } = response as IncomingMessage;
  const stream = received['content-encoding'] === 'gzip' ? pipeline(response, createGunzip(), () => {}) : response;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) throw new UpstreamFailure('oversized');
  }
  return { status: status ?? 0, headers: received, text: Buffer.concat(chunks).toString() };
}
