import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes from the output of `cdk synth` what moto cannot deploy. docs/aws-emulator.md lists it. */

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation
export type Json = any;

/** A stage without a file in infra/stack/stages, whose options are the operator's. */
export const STAGE = 'ci';
export const STACK = `StakingData-${STAGE}`;

/** Stands in for the domain name of CloudFront. */
export const DISTRIBUTION = 'distribution.cloudfront.net';

/** Custom resources, whose functions moto cannot run without Docker. */
export const isCustom = ({ Type }: Json) => Type.startsWith('Custom::');

/** Returns the template with only the wanted resources, without dependencies on other resources. */
function withResources(template: Json, isWanted: (resource: Json) => boolean): Json {
  const kept = Object.entries<Json>(template.Resources).filter(([, resource]) => isWanted(resource));
  const left = new Set(kept.map(([id]) => id));
  const waiting = kept.map(([id, { DependsOn, ...resource }]) => {
    const others = [DependsOn ?? []].flat().filter((other: string) => left.has(other));
    return [id, { ...resource, ...(others.length > 0 && { DependsOn: others }) }];
  });
  return { ...template, Resources: Object.fromEntries(waiting) };
}

/** Returns the template with a text in place of each reference to the distribution, because moto skips it. */
function withoutDistribution(template: Json): Json {
  const [id] = Object.entries<Json>(template.Resources).find(
    ([, { Type }]) => Type === 'AWS::CloudFront::Distribution',
  ) as [string, Json];
  const replaced = JSON.stringify(template)
    .replaceAll(`{"Fn::GetAtt":["${id}","DomainName"]}`, `"${DISTRIBUTION}"`)
    .replaceAll(`{"Ref":"${id}"}`, '"distribution"');
  return JSON.parse(replaced);
}

function deployable(whole: Json): Json {
  const template = withResources(withoutDistribution(whole), (resource) => !isCustom(resource));
  // moto takes other metadata for a change of the resource, and forgets a resource that it cannot change.
  for (const resource of Object.values<Json>(template.Resources)) delete resource.Metadata;
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

/** The template as it was before the tables with recorded data had fixed names and a construct of their own. */
export function withGeneratedNames(template: Json): Json {
  const text = JSON.stringify(template).replaceAll(/Durable((?:History|Ledger)Table)\w{8}/g, '$1Old');
  const older = JSON.parse(text);
  for (const { Type, Properties } of Object.values<Json>(older.Resources))
    if (Type === 'AWS::DynamoDB::Table') delete Properties.TableName;
  return older;
}
