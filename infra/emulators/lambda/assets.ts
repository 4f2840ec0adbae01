import { globSync, readFileSync, statSync } from 'node:fs';
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

/** The path of the template that was synthesized last, of whichever stage. Throws if there is none. */
export function newestTemplate(output = 'cdk.out'): string {
  const found = globSync(join(output, 'StakingData-*.template.json'));
  const ages = found.map((path) => ({ path, changedMs: statSync(path).mtimeMs }));
  const [newest] = ages.sort((a, b) => b.changedMs - a.changedMs);
  if (!newest) throw new Error(`${output} contains no template: run npm run synth first`);
  return newest.path;
}

/** The functions of the template that was synthesized last. Throws if there is none. */
export function builtFunctions(output = 'cdk.out'): BuiltFunction[] {
  const template = JSON.parse(readFileSync(newestTemplate(output), 'utf8'));
  return Object.entries<Record<string, Record<string, string>>>(template.Resources)
    .filter(([, { Type }]) => String(Type) === 'AWS::Lambda::Function')
    .map(([id, { Properties, Metadata }]) => ({
      id,
      description: Properties?.Description as string,
      folder: resolve(output, Metadata?.['aws:asset:path'] as string),
    }));
}
