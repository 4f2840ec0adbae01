/** JSON of examples, a line for each field. */

export function linePerField(example: unknown): string {
  if (!isObject(example)) return JSON.stringify(example);
  const lines = Object.entries(example).map(([name, value]) => `  ${JSON.stringify(name)}: ${inOneLine(value)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

/** Line breaks of the indented text are never those of a string, which are escaped. */
function inOneLine(value: unknown): string {
  const text = JSON.stringify(value, null, 1);
  return text.replace(/(?<=\[)\n *|\n *(?=])/g, '').replace(/\n */g, ' ');
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
