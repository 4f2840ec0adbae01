/** The message of an error and, in brackets, those of its causes. Errors of Node without a message: their code. */
export function reasonOf(error: Error): string {
  const { message, cause } = error;
  const own = message || String((error as NodeJS.ErrnoException).code);
  if (!(cause instanceof Error)) return own;
  const why = reasonOf(cause);
  return why.startsWith(own) ? why : `${own} (${why})`;
}
