/** JSON of examples, a line for each field. */

export function linePerField(example: unknown): string {
  if (!isObject(example)) return JSON.stringify(example);
  const lines = Object.entries(example).map(([name, value]) => `  ${JSON.stringify(name)}: ${inOneLine(value)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${inOneLine(field)}`);
  return fields.length > 0 ? `{ ${fields.join(', ')} }` : '{}';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
