import { App } from 'aws-cdk-lib';
import { StakingDataStack } from './stack.ts';

const app = new App();
const stage: string = app.node.tryGetContext('stage') ?? 'dev';
const network = app.node.tryGetContext('network') ?? 'avalanche';
if (network !== 'avalanche' && network !== 'fuji') throw new Error('context network must be avalanche or fuji');

new StakingDataStack(app, `StakingData-${stage}`, { stage, network });
