import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes from the output of `cdk synth` what moto cannot deploy. */

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation
export type Json = any;

/** A stage without a file in infra/stack/stages, whose options are the operator's. */
export const STAGE = 'ci';
export const STACK = `StakingData-${STAGE}`;

/** Stands in for the domain name of CloudFront. */
export const DISTRIBUTION = 'distribution.cloudfront.net';

/** The types that moto's CloudFormation skips. Only test/infra/stack, cdk-nag and cfn-lint check these resources. */
export const SKIPPED = Object.entries({
  ApiGateway: ['Account', 'ApiKey', 'GatewayResponse', 'Stage', 'UsagePlan', 'UsagePlanKey'],
  Budgets: ['Budget'],
  CloudFront: ['CachePolicy', 'Distribution', 'Function', 'OriginAccessControl', 'ResponseHeadersPolicy'],
  CloudWatch: ['Alarm', 'CompositeAlarm'],
  Lambda: ['EventInvokeConfig'],
  Logs: ['Delivery', 'DeliveryDestination', 'DeliverySource'],
  S3: ['BucketPolicy'],
  SNS: ['Subscription', 'TopicPolicy'],
  SecretsManager: ['Secret'],
}).flatMap(([service, names]) => names.map((name) => `AWS::${service}::${name}`));

/** Custom resources, whose functions moto cannot run without Docker. */
export const isCustom = ({ Type }: Json) => Type.startsWith('Custom::');

/** The template without custom resources, and with a text for the distribution, which moto skips. */
function deployable(whole: Json): Json {
  const [distribution] = Object.keys(whole.Resources).filter(
    (id) => whole.Resources[id].Type === 'AWS::CloudFront::Distribution',
  );
  const template = JSON.parse(
    JSON.stringify(whole)
      .replaceAll(`{"Fn::GetAtt":["${distribution}","DomainName"]}`, `"${DISTRIBUTION}"`)
      .replaceAll(`{"Ref":"${distribution}"}`, '"distribution"'),
  );
  for (const [id, resource] of Object.entries<Json>(template.Resources)) {
    if (isCustom(resource)) delete template.Resources[id];
    // moto takes other metadata for a change of the resource, and forgets a resource that it cannot change.
    delete resource.Metadata;
  }
  for (const resource of Object.values<Json>(template.Resources)) {
    const others = [resource.DependsOn ?? []].flat().filter((id: string) => id in template.Resources);
    resource.DependsOn = others.length > 0 ? others : undefined;
  }
  return template;
}

export async function readTemplate(assembly: string): Promise<Json> {
  return JSON.parse(await readFile(join(assembly, `${STACK}.template.json`), 'utf8'));
}

/** Writes the template under the hash of its content, like `cdk synth`. The CLI does not upload a known hash again. */
export async function writeTemplate(assembly: string, content: Json): Promise<void> {
  const text = JSON.stringify(content);
  await writeFile(join(assembly, `${STACK}.template.json`), text);
  const manifest = await readFile(join(assembly, 'manifest.json'), 'utf8');
  const [, old] = /"stackTemplateAssetObjectUrl": ".*\/(\w+)\.json"/.exec(manifest) as unknown as [string, string];
  const hash = createHash('sha256').update(text).digest('hex');
  for (const name of ['manifest.json', `${STACK}.assets.json`]) {
    const path = join(assembly, name);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(old, hash));
  }
}

/** Makes an assembly deployable to moto. */
export async function adaptAssembly(assembly: string): Promise<void> {
  await writeTemplate(assembly, deployable(await readTemplate(assembly)));
}
