import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { buildSite } from '../site/site.ts';
import { bundleFunctions } from './bundling.ts';
import { BUNDLES } from './service-function.ts';
import { REGION, readSettings, SettingsError, stageFile } from './settings.ts';
import { StakingDataStack } from './stack.ts';

const { CDK_DEFAULT_ACCOUNT: account } = process.env;

try {
  const app = new App();
  const settings = readSettings(app.node.getAllContext(), stageFile);
  const bundles = mkdtempSync(join(tmpdir(), 'bundles-'));
  const [site] = await Promise.all([buildSite(settings.securityContact ?? ''), bundleFunctions(bundles)]);
  app.node.setContext(BUNDLES, bundles);
  new StakingDataStack(app, `StakingData-${settings.stage}`, settings, site, {
    env: { region: REGION, ...(account && { account }) },
    terminationProtection: settings.stage === 'prod',
  });
  // The app's output contains copies.
  rmSync(bundles, { recursive: true });
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
