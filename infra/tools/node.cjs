/**
 * Runs a program under Node 24, the version that Lambda has: `node infra/tools/node.cjs [OPTION…] FILE [ARGUMENT…]`. That is the Node
 * that runs this, if it is new enough, and else the one that npm has installed for this platform (Linux only). It has no need of
 * `node_modules/.bin/node`: npm before 11.7 leaves that link out, because two optional packages provide it. Every Node from 20
 * on has to be able to run this file.
 */
const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { constants } = require('node:os');
const { delimiter, dirname, join } = require('node:path');

const NEEDED = 24;
const MODULES = join(__dirname, '../../node_modules');
// Packages that only `npm ci` with NODE_ENV=production or --omit=dev, or no `npm ci` at all, leaves out.
const DEVELOPMENT = join(MODULES, 'esbuild');

// esbuild's part for this platform, which all commands need. `--omit=optional` leaves it out, and a copied folder has another.
const PLATFORM = `${process.platform}-${process.arch}`;

function give(message) {
  console.error(message);
  process.exit(1);
}

/** The path of a Node that is new enough, or undefined. */
function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= NEEDED) return process.execPath;
  const installed = join(MODULES, `node-${PLATFORM}`, 'bin/node');
  return existsSync(installed) ? installed : undefined;
}

if (process.platform === 'win32')
  give('Windows is not supported as such: run this in WSL (https://learn.microsoft.com/windows/wsl/install)');
if (!existsSync(DEVELOPMENT)) {
  give(
    'Packages are missing: run `npm ci --include=dev` (NODE_ENV=production alone leaves out what runs and builds this service)',
  );
}
if (!existsSync(join(MODULES, '@esbuild', PLATFORM)))
  give(`Packages for ${PLATFORM} are missing: run \`npm ci --include=optional\` on this machine`);
const node = findNode();
if (!node) {
  give(
    `Node ${NEEDED} or later is required, but this is Node ${process.versions.node}, and npm has installed no other for ${PLATFORM}: ` +
      'get one at https://nodejs.org/en/download, or repeat `npm ci --include=optional`',
  );
}

// Without arguments, it only checks the machine: Windows' shell does not know `exec`.
if (process.argv.length === 2) process.exit();

// Programs that it starts by the name of `node` run on the same Node.
const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
// Node would end with a stack that has the proxy's password.
for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'])
  if (env.NODE_USE_ENV_PROXY === '1' && env[name] && !(/^https?:/i.test(env[name]) && URL.canParse(env[name])))
    give(`${name}: must be an http or https URL`);
// No client of the program uses a proxy for this machine, whose chain and database it starts.
const direct = [env.no_proxy || env.NO_PROXY, 'localhost,127.0.0.1,127.0.0.1-127.255.255.255,::1,[::1]'];
if (env.NODE_USE_ENV_PROXY === '1') env.NO_PROXY = env.no_proxy = direct.filter(Boolean).join(',');
const child = spawn(node, process.argv.slice(2), { stdio: 'inherit', env });
child.once('error', ({ message }) => give(`The Node at ${node} cannot be started on this machine: ${message}`));
// This process ends when the program has. Ctrl-C in a terminal reaches both.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// A parent that is killed does not pass that on. Scripts of package.json that stay use `exec`: their shell does not either.
const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  child.kill('SIGTERM');
}, 500);
child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
