/** What an error says and, in brackets, what its causes say. Some errors of Node have only a code. */
export function reasonOf(error: Error): string {
  const { message, cause } = error;
  const own = message || String((error as NodeJS.ErrnoException).code);
  return cause instanceof Error ? `${own} (${reasonOf(cause)})` : own;
}
