/** `npm run screenshots`: takes the README's pictures: a liquid staker's view on a desktop and on a phone. */

import { mkdir } from 'node:fs/promises';
import { hasPast } from '../local/past.ts';
import { startSystem } from '../local/system.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { openBrowser } from './browser.ts';

/** A holder of ggAVAX on the devnet. Not the first one, whose yield of 54 % a year predates the devnet's set rate. */
const HOLDER = '0xBcd4042DE499D14e55001CcbB24a551F3b954096';
const FOLDER = 'docs/images';
const SIZES = [
  {
    name: 'dashboard-desktop',
    query: `?address=${HOLDER}`,
    colorScheme: 'light',
    viewport: { width: 1280, height: 1000 },
  },
  { name: 'dashboard-phone', query: `?address=${HOLDER}`, colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

const system = await startSystem({ env: { PORT: '0' }, telemetry: terminalTelemetry, onStep: () => {} });
await hasPast(system.url);
const browser = await openBrowser();
await mkdir(FOLDER, { recursive: true });
for (const { name, query, ...options } of SIZES) {
  const page = await browser.newPage(options);
  await page.goto(`${system.url}/dashboard${query}`, { waitUntil: 'networkidle' });
  await page.waitForFunction("!document.querySelector('[aria-busy=true]')");
  const path = `${FOLDER}/${name}.png`;
  await page.screenshot({ path });
  console.log(path);
}
await browser.close();
await system.stop();
