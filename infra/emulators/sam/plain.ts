import { readFileSync, writeFileSync } from 'node:fs';
import { ARCHITECTURE, withoutAliases } from '../lambda/assets.ts';

/** The second half of `npm run synth:sam`: makes the template readable for SAM CLI alone. See docs/sam-local.md. */

const path = `${process.env.CDK_OUTPUT ?? 'cdk.out'}/StakingData-dev.template.json`;
const template = withoutAliases(JSON.parse(readFileSync(path, 'utf8')));
for (const { Type, Properties } of Object.values<{ Type: string; Properties: object }>(template.Resources))
  if (Type === 'AWS::Lambda::Function') Object.assign(Properties, { Architectures: [ARCHITECTURE] });
writeFileSync(path, JSON.stringify(template));
