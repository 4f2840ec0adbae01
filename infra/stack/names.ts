/** `rewards/by-stake` becomes `RewardsByStake`, in the template and the OpenAPI document. */
export function pascalCase(file: string): string {
  return file.replace(/(^|[/-])(\w)/g, (_, __, letter: string) => letter.toUpperCase());
}

/** Prefix of a stage's files in the bucket of `cdk bootstrap`. All stacks of the account share the bucket. */
export const assetPrefix = (stage: string) => `staking-data-${stage}/`;

/** The dimension of a stage's custom metrics, and the log group of all functions. */
export const serviceName = ({ stage }: { stage: string }) => `staking-data-${stage}`;

/** CloudFront's access log. Log groups with this prefix need no entry in the account's resource policy, whose size is limited. */
export const edgeLogName = ({ stage }: { stage: string }) => `/aws/vendedlogs/staking-data-${stage}/edge`;
