import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** This machine's processor, as Lambda calls it. */
export const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'x86_64';

/** A function of the stack, as built by `cdk synth`. */
export interface BuiltFunction {
  /** Logical ID in the template. */
  id: string;
  description: string;
  /** Folder with its bundle. */
  folder: string;
}

/** The functions in `cdk.out`. Throws if the stack has not been synthesized. */
export function builtFunctions(output = 'cdk.out', stack = 'StakingData-dev'): BuiltFunction[] {
  const template = JSON.parse(readFileSync(join(output, `${stack}.template.json`), 'utf8'));
  return Object.entries<Record<string, Record<string, string>>>(template.Resources)
    .filter(([, { Type }]) => String(Type) === 'AWS::Lambda::Function')
    .map(([id, { Properties, Metadata }]) => ({
      id,
      description: Properties?.Description as string,
      folder: join(process.cwd(), output, Metadata?.['aws:asset:path'] as string),
    }));
}

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation
type Json = any;

interface Template {
  Resources: Record<string, Json>;
}

/** The template with only those resources that are wanted, none of which waits for one that is not. */
export function withResources(template: Template, isWanted: (resource: Json) => boolean): Template {
  const kept = Object.entries(template.Resources).filter(([, resource]) => isWanted(resource));
  const left = new Set(kept.map(([id]) => id));
  const waiting = kept.map(([id, { DependsOn, ...resource }]) => {
    const others = [DependsOn ?? []].flat().filter((other: string) => left.has(other));
    return [id, { ...resource, ...(others.length > 0 && { DependsOn: others }) }];
  });
  return { ...template, Resources: Object.fromEntries(waiting) };
}

/** The template with references to aliases replaced by their functions, for tools that do not support aliases. */
export function withoutAliases(template: Template): Json {
  const ofReleases = /^AWS::(CodeDeploy::|Lambda::(Alias|Version)$)/;
  const text = JSON.stringify(withResources(template, ({ Type }) => !ofReleases.test(Type)));
  const direct = Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === 'AWS::Lambda::Alias')
    .reduce((written, [id, { Properties }]) => {
      const arn = { 'Fn::GetAtt': [Properties.FunctionName.Ref, 'Arn'] };
      return written.replaceAll(`{"Ref":"${id}"}`, JSON.stringify(arn));
    }, text);
  return JSON.parse(direct);
}
