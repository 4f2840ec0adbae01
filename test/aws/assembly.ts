import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What `cdk synth` has made, without what moto trips over: docs/aws-emulator.md says what that is. */

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation
export type Json = any;

export const STACK = 'StakingData-dev';

/** What the stack's own functions do when it is deployed: moto runs none without Docker. */
export const isCustom = ({ Type }: Json) => Type.startsWith('Custom::');

/** The routes of the pages: moto's CloudFormation loses the role of an integration with S3, and then refuses it. */
export const readsFromS3 = (resource: Json) =>
  resource.Type === 'AWS::ApiGateway::Method' && JSON.stringify(resource).includes(':s3:path');

/** What moto's CloudFormation trips over in resources that it has otherwise. */
function adapt({ Type, Properties }: Json): void {
  // It passes the key's tags on in CloudFormation's form to a KMS that has another.
  if (Type === 'AWS::KMS::Key') delete Properties.Tags;
  // It wants an address of every integration; a mock has none.
  const integration = Type === 'AWS::ApiGateway::Method' && Properties.Integration;
  if (integration?.Type === 'MOCK') Object.assign(integration, { IntegrationHttpMethod: 'POST', Uri: '' });
}

function deployable(whole: Json): Json {
  const resources = Object.entries<Json>(whole.Resources).filter(
    ([, resource]) => !isCustom(resource) && !readsFromS3(resource),
  );
  const left = new Set(resources.map(([id]) => id));
  for (const [, resource] of resources) {
    adapt(resource);
    if (Array.isArray(resource.DependsOn)) {
      resource.DependsOn = resource.DependsOn.filter((id: string) => left.has(id));
    }
  }
  return { ...whole, Resources: Object.fromEntries(resources) };
}

export async function readTemplate(assembly: string): Promise<Json> {
  return JSON.parse(await readFile(join(assembly, `${STACK}.template.json`), 'utf8'));
}

/** Under the hash of what it says, as after a synth: the CLI does not publish again what the bucket has under that name. */
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

/** Makes it one that moto deploys. */
export async function adaptAssembly(assembly: string): Promise<void> {
  await writeTemplate(assembly, deployable(await readTemplate(assembly)));
}
