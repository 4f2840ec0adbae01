import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { buildSite } from '../site/site.ts';
import { bundleFunctions } from './bundling.ts';
import { commitOf } from './commit.ts';
import { BUNDLES } from './service-function.ts';
import { EDGE_REGION, readSettings, SettingsError, stageFile } from './settings.ts';
import { StakingDataStack } from './stack.ts';

const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;

try {
  const app = new App();
  const settings = readSettings(app.node.getAllContext(), stageFile, region);
  const bundles = mkdtempSync(join(tmpdir(), 'bundles-'));
  const [site] = await Promise.all([buildSite(settings.securityContact ?? ''), bundleFunctions(bundles)]);
  app.node.setContext(BUNDLES, bundles);
  new StakingDataStack(app, `StakingData-${settings.stage}`, settings, site, {
    // Without the edge, the stack goes to the region of the operator's credentials.
    ...(settings.edge && { env: { region: EDGE_REGION, ...(account && { account }) } }),
    terminationProtection: settings.stage === 'prod',
    commit: commitOf(import.meta.dirname),
  });
  // The app's output has copies.
  rmSync(bundles, { recursive: true });
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
