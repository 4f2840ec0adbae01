/** Name of the file with all tables of the archive of a UTC day. Pages use this, too. */
export function bundleName(day: string): string {
  return `gogopool-${day}.zip`;
}
