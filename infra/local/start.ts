import { parseArgs } from 'node:util';
import { ConfigError } from '../../lib/runtime/config.ts';
import { CHAIN_ENDED, endsOnRequest } from './end.ts';
import { startFrozenSystem } from './frozen-system.ts';
import { StartError, type System, type SystemOptions, startSystem } from './system.ts';
import { terminalTelemetry } from './terminal-telemetry.ts';

/**
 * `npm start`: the whole service on this machine, until Ctrl-C. `npm start -- --archive DIR|URL` answers from an archive
 * instead.
 */

const started = performance.now();

function seconds(): string {
  return `${((performance.now() - started) / 1_000).toFixed(1)} s`.padStart(7);
}

let system: System | undefined;
const end = endsOnRequest(async () => system?.stop());
const onStep = (line: string) => console.log(`${seconds()}  ${line}`);

try {
  const { archive } = options();
  const settings: SystemOptions = {
    env: process.env,
    telemetry: terminalTelemetry,
    onStep,
    onResponse: ({ method, url, status, cache, ms }) =>
      console.log(`${method} ${url} ${status} ${cache} ${ms.toFixed(1)} ms`),
  };
  system = await (archive ? startFrozenSystem(archive, settings) : startSystem(settings));
  system.chainEnded?.then(() => end(CHAIN_ENDED));
  onStep(`Ready: ${system.url}`);
  console.log(`
Dashboard  ${system.url}/dashboard
Reference  ${system.url}/docs
Guide      ${system.url}/docs/guide
${system.chainUrl ? `Chain RPC  ${system.chainUrl}\n` : ''}Try        curl ${system.url}/metrics

${exportCommand(system)}Ctrl-C stops everything.
`);
} catch (error) {
  if (!(error instanceof StartError || error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exit(1);
}

function options() {
  try {
    return parseArgs({ options: { archive: { type: 'string' } } }).values;
  } catch (error) {
    throw new StartError(`${(error as Error).message.split('. ')[0]}: npm start -- --archive DIR|URL`);
  }
}

/** The command that exports the tables which were started here. */
function exportCommand({ tables, context }: System): string {
  if (!tables?.AWS_ENDPOINT_URL_DYNAMODB) return '';
  const variables = Object.entries({ NETWORK: context.config.network.name, ...tables }).filter(
    ([name]) => name !== 'CACHE_TABLE',
  );
  return `Archive    ${variables.map(([name, value]) => `${name}=${value}`).join(' ')} npm run export -- DIR\n\n`;
}
