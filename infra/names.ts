/** `rewards/by-stake` becomes `RewardsByStake`, in the template and the OpenAPI document. */
export function pascalCase(file: string): string {
  return file.replace(/(^|[/-])(\w)/g, (_, __, letter: string) => letter.toUpperCase());
}
