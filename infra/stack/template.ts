/** Templates for the tests and for `npm run cost`, which are not deployed. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, type AppProps } from 'aws-cdk-lib';
import type { SiteFile } from '../site/site-file.ts';
import { SOURCES } from './bundling.ts';
import { BUNDLES } from './service-function.ts';
import { REGION, readSettings } from './settings.ts';
import { StakingDataStack } from './stack.ts';

/** A folder with an empty bundle for each function: real ones would take seconds. All processes share it. */
const EMPTY_BUNDLES = fileURLToPath(new URL('../../node_modules/.cache/empty-bundles', import.meta.url));

/** An app with the feature flags of cdk.json, which CDK's CLI would pass, and with empty bundles. */
export function newApp(props: AppProps = {}): App {
  for (const source of SOURCES) {
    mkdirSync(join(EMPTY_BUNDLES, source), { recursive: true });
    writeFileSync(join(EMPTY_BUNDLES, source, 'index.js'), '');
  }
  const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));
  return new App({
    context: { ...context, [BUNDLES]: EMPTY_BUNDLES },
    // `npm run synth` and cfn-lint validate the template; here that would take most of the time.
    builtinCloudFormationValidation: false,
    ...props,
  });
}

/** Options of a stage for the public, independent of the operator's own in `stages/prod.json`. */
export const PROD = { stage: 'prod', firewall: 'on', alarmEmail: 'ops@example.org' };

/** The stack with these options. Files of stages are not read. */
export function newStack(app: App, options: Record<string, string>, site: readonly SiteFile[]): StakingDataStack {
  const settings = readSettings(options);
  return new StakingDataStack(app, `StakingData-${settings.stage}`, settings, site, { env: { region: REGION } });
}
