import { ConfigError } from '../../lib/runtime/config.ts';
import { StartError, startSystem } from './system.ts';
import { terminalTelemetry } from './terminal-telemetry.ts';

/** `npm start`: the whole service on this machine, until Ctrl-C. */

const started = performance.now();

function seconds(): string {
  return `${((performance.now() - started) / 1_000).toFixed(1)} s`.padStart(7);
}

// `npm run dev`, which has started it, has ended.
process.once('disconnect', () => process.exit());

const onStep = (line: string) => console.log(`${seconds()}  ${line}`);

try {
  const system = await startSystem({
    env: process.env,
    telemetry: terminalTelemetry,
    onStep,
    onResponse: ({ method, url, status, cache, ms }) =>
      console.log(`${method} ${url} ${status} ${cache} ${ms.toFixed(1)} ms`),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await system.stop();
      process.exit(0);
    });
  }
  onStep(`Ready: ${system.url}`);
  console.log(`
Dashboard  ${system.url}/dashboard
Reference  ${system.url}/docs
Guide      ${system.url}/docs/guide
${system.chainUrl ? `Chain RPC  ${system.chainUrl}\n` : ''}Try        curl ${system.url}/metrics

Ctrl-C stops everything.
`);
} catch (error) {
  if (!(error instanceof StartError || error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exit(1);
}
