/** `rewards/by-stake` is `RewardsByStake`: in the template, and in the OpenAPI document. */
export function pascalCase(file: string): string {
  return file.replace(/(^|[/-])(\w)/g, (_, __, letter: string) => letter.toUpperCase());
}
