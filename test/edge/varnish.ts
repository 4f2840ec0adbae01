import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../infra/devnet/listen.ts';
import { startProgram } from '../../infra/devnet/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A shared cache (Varnish) with the rules that CloudFront follows in front of the API. */

export interface SharedCache {
  /** http://127.0.0.1:<port> */
  url: string;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/** By default, it caches nothing beyond what the headers allow, and compresses nothing. */
const SETTINGS = [
  'default_ttl=0',
  'default_grace=0',
  'default_keep=0',
  'http_gzip_support=off',
  'vcc_allow_inline_c=off',
  // Its default closes idle connections after five seconds, occasionally while a request is arriving.
  'timeout_idle=600',
];

/**
 * Rules for what Varnish does not do by itself: it recognises gzip in `Accept-Encoding`, and supports `stale-if-error`
 * by restarting a failed request, which then accepts anything within that time. Stale answers are served for one second
 * while they are fetched again, not for as long as the headers allow, so that tests see errors soon.
 */
const rules = (host: string, port: number) => `
vcl 4.1;
import std;

backend origin { .host = "${host}"; .port = "${port}"; .connect_timeout = 2s; .first_byte_timeout = 30s; }

sub vcl_recv {
  if (req.method != "GET" && req.method != "HEAD") { return (pass); }
  if (req.restarts == 0) { set req.grace = 1s; } else { set req.grace = 1d; }
  if (req.http.Accept-Encoding ~ "(?i)(^|,)\\s*gzip\\s*(;\\s*q=(1|0\\.0*[1-9])[0-9.]*\\s*)?(,|$)") {
    set req.http.Accept-Encoding = "gzip";
  } else {
    unset req.http.Accept-Encoding;
  }
  unset req.http.Cookie;
  return (hash);
}

sub vcl_backend_response {
  if (beresp.status >= 500) {
    if (bereq.is_bgfetch) { return (abandon); }
    set beresp.uncacheable = true;
    set beresp.ttl = 0s;
    return (deliver);
  }
  if (beresp.http.Cache-Control ~ "no-store") {
    set beresp.uncacheable = true;
    set beresp.ttl = 0s;
    return (deliver);
  }
  if (beresp.http.Cache-Control ~ "stale-if-error=") {
    set beresp.grace = std.duration(regsub(beresp.http.Cache-Control, ".*stale-if-error=([0-9]+).*", "\\1s"), 0s);
  }
  return (deliver);
}

sub vcl_backend_error {
  if (bereq.is_bgfetch) { return (abandon); }
}

sub vcl_deliver {
  if (resp.status >= 500 && req.restarts == 0) { return (restart); }
}

sub vcl_synth {
  if (resp.status >= 500 && req.restarts == 0) { return (restart); }
}
`;

/** Starts Varnish in front of an origin on this machine. */
export async function startVarnish(originUrl: string): Promise<SharedCache> {
  const { hostname, port: originPort } = new URL(originUrl);
  const folder = temporaryFolder('varnish');
  const port = await freePort();
  writeFileSync(join(folder, 'rules.vcl'), rules(hostname, Number(originPort)));
  const args = [
    '-F',
    '-j',
    'none',
    '-n',
    folder,
    '-a',
    `127.0.0.1:${port}`,
    '-f',
    join(folder, 'rules.vcl'),
    '-s',
    'malloc,64m',
  ];
  const program = startProgram('varnishd', [...args, ...SETTINGS.flatMap((setting) => ['-p', setting])]);
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    await program.stop();
  };
  const deadline = Date.now() + START_TIMEOUT_MS;
  // It is ready as soon as it answers, whatever the status.
  while (
    !(await fetch(`${url}/there-is-no-such-path`).then(
      () => true,
      () => false,
    ))
  ) {
    if (program.hasEnded() || Date.now() > deadline) {
      await stop();
      throw new Error(`Varnish did not start: ${program.complaint()}`);
    }
    await wait(50);
  }
  return { url, stop };
}
