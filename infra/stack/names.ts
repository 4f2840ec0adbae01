/** `rewards/by-stake` becomes `RewardsByStake`, in the template and the OpenAPI document. */
export function pascalCase(file: string): string {
  return file.replace(/(^|[/-])(\w)/g, (_, __, letter: string) => letter.toUpperCase());
}

/** Prefix of a stage's files in the bucket of `cdk bootstrap`. All stacks of the account share the bucket. */
export const assetPrefix = (stage: string) => `staking-data-${stage}/`;
