/** `rewards/by-stake` becomes `RewardsByStake`, in the template and the OpenAPI document. */
export function pascalCase(file: string): string {
  return file.replace(/(^|[/-])(\w)/g, (_, __, letter: string) => letter.toUpperCase());
}

/** A resolved string as cdk-nag writes it: with references in angle brackets. */
export function nagNameOf(joined: {
  'Fn::Join': [string, (string | { Ref: string } | { 'Fn::Sub': string })[]];
}): string {
  return joined['Fn::Join'][1]
    .map((part) => {
      if (typeof part === 'string') return part;
      return 'Ref' in part ? `<${part.Ref}>` : part['Fn::Sub'].replace(/\$\{(.+?)\}/g, '<$1>');
    })
    .join('');
}

/** Where `cdk deploy` puts a stage's files in the bucket of `cdk bootstrap`, which all stacks of the account share. */
export const assetPrefix = (stage: string) => `staking-data-${stage}/`;
