import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A call of a function that openapi-generator has generated for an endpoint. */
const FUNCTION = /^pub fn (get_\w+)\(configuration: &configuration::Configuration, (.*)\) ->/gm;
/** Optional parameters that are sent. */
const SENT = ['gg_avax', 'limit'];

/**
 * A call of every function in a folder of generated modules, as source code: Rust cannot list functions. Arguments are
 * variables of the same name.
 */
export async function rustCalls(folder: string): Promise<string> {
  const modules = (await readdir(folder)).filter((name) => name.endsWith('_api.rs'));
  const calls = modules.map(async (module) => {
    const source = await readFile(join(folder, module), 'utf8');
    return [...source.matchAll(FUNCTION)]
      .filter(([, name]) => !name?.includes('calendar'))
      .map(([, name, parameters = '']) => {
        const args = [...parameters.matchAll(/(\w+): ([^,]+)/g)].map(([, key = '', type = '']) => argument(key, type));
        return `answer(${module.replace('.rs', '')}::${name}(${['&service', ...args].join(', ')}));\n`;
      });
  });
  return `{\n${(await Promise.all(calls)).flat().join('')}}\n`;
}

function argument(name: string, type: string): string {
  if (type.startsWith('Vec')) return `vec![${name}.to_string()]`;
  if (!type.startsWith('Option')) return name;
  return SENT.includes(name) ? `Some(${name})` : 'None';
}
