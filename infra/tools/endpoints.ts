import { ENDPOINTS } from '../../functions/index.ts';
import { parseVariables } from '../local/path-templates.ts';

/** The contents of `lib/api/endpoints.json`: the description of each endpoint in `/`. */
export function endpointsDocument(): string {
  const list = Object.values(ENDPOINTS).map(({ path, input, tag, summary }) => {
    const inPath = parseVariables(path);
    return { path, parameters: Object.keys(input.shape).filter((name) => !inPath.includes(name)), tag, summary };
  });
  return `${JSON.stringify(list, null, 2)}\n`;
}
