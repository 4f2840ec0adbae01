import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

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
      folder: resolve(output, Metadata?.['aws:asset:path'] as string),
    }));
}
