import { App } from 'aws-cdk-lib';
import { readSettings } from './settings.ts';
import { buildSite } from './site.ts';
import { StakingDataStack } from './stack.ts';

const app = new App();
const settings = readSettings((name) => app.node.tryGetContext(name));

new StakingDataStack(app, `StakingData-${settings.stage}`, settings, await buildSite());
