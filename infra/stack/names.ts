/** `rewards/by-stake` becomes `RewardsByStake`, in the template and the OpenAPI document. */
export function pascalCase(file: string): string {
  return file.replace(/(^|[/-])(\w)/g, (_, __, letter: string) => letter.toUpperCase());
}

/** Where `cdk deploy` puts a stage's files in the bucket of `cdk bootstrap`, which all stacks of the account share. */
export const assetPrefix = (stage: string) => `staking-data-${stage}/`;
