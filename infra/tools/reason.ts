/** What an error says and, in brackets, what its causes say that it does not. Some errors of Node have only a code. */
export function reasonOf(error: Error): string {
  const { message, cause } = error;
  const own = message || String((error as NodeJS.ErrnoException).code);
  if (!(cause instanceof Error)) return own;
  const why = reasonOf(cause);
  return why.startsWith(own) ? why : `${own} (${why})`;
}
