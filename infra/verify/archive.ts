/**
 * `npm run verify -- DIR`: checks the folder of an archive without a chain: the hash of every file, every answer against its schema
 * in `api/openapi.json`, and the income of every address against the tables.
 */

import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { WEBSITE } from '../../lib/archive/bundle.ts';
import type { Archive } from '../../lib/archive/read-table.ts';
import { readManifest, verifyFiles } from '../../lib/archive/verify-files.ts';
import { incomeFaults } from './archive-income.ts';
import type { Json } from './service.ts';

export interface Checked {
  /** Numbers of files, of answers, and of addresses with income. */
  files: number;
  answers: number;
  incomes: number;
  /** Descriptions of what differs. */
  faults: string[];
}

/** Checks the archive in a folder. Throws an ArchiveError if it has no manifest. */
export async function verifyArchive(folder: string): Promise<Checked> {
  const archive = { folder, manifest: readManifest(folder) };
  const hashed = await hashFaults(archive);
  // A damaged file may be unreadable.
  if (hashed.faults.length > 0 || !existsSync(join(folder, 'api'))) return { ...hashed, answers: 0, incomes: 0 };
  const [answers, incomes] = [schemaFaults(folder), await incomeFaults(archive)];
  return {
    files: hashed.files,
    answers: answers.checked,
    incomes: incomes.checked,
    faults: [...answers.faults, ...incomes.faults],
  };
}

async function hashFaults({ folder, manifest }: Archive): Promise<Pick<Checked, 'files' | 'faults'>> {
  const faults: string[] = [];
  for (const file of manifest.files) await verifyFiles(folder, [file]).catch(({ message }) => faults.push(message));
  const list = join(folder, WEBSITE);
  const lines = existsSync(list) ? readFileSync(list, 'utf8').trimEnd().split('\n') : [];
  for (const line of lines) {
    const [sha256, name = ''] = line.split('  ');
    const found = await sha256Of(join(folder, name)).catch(() => undefined);
    if (found === undefined) faults.push(`${name}: is missing`);
    else if (found !== sha256) faults.push(`${name}: is damaged: its SHA-256 is not the one in ${WEBSITE}`);
  }
  return { files: manifest.files.length + lines.length, faults };
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

function schemaFaults(folder: string) {
  const api = join(folder, 'api');
  const validatorOf = validators(JSON.parse(readFileSync(join(api, 'openapi.json'), 'utf8')));
  const names = readdirSync(api, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  const answers = names.filter((name) => name !== 'openapi.json').sort();
  const faults = answers.flatMap((name) => {
    const validate = validatorOf(name);
    if (!validate) return `api/${name}: is no answer of an endpoint`;
    if (validate(JSON.parse(readFileSync(join(api, name), 'utf8')))) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `api/${name}: ${instancePath || 'body'} ${message}`,
    );
  });
  return { checked: answers.length, faults };
}

/** Intervals and years are parameters of the service, and part of a file's name. */
const PART = /(\/(1h|1d|1mo|1y))?(\/\d{4}(-\d+)?)?\.json$/;

/** Finds the validator of an answer's file. Each is compiled once. */
function validators({ paths, components }: Json): (name: string) => ValidateFunction | undefined {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const known = Object.keys(paths)
    // A path without parameters comes before one that would match it, too.
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => {
      const { schema } = paths[path].get.responses[200].content['application/json'] ?? {};
      let compiled: ValidateFunction | undefined;
      const compile = () => (compiled ??= ajv.compile({ ...schema, components }));
      return { pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), compile };
    });
  return (name) => {
    const plain = `/${name.replaceAll('\\', '/')}`;
    const path = [plain.replace(/\.json$/, ''), plain.replace(PART, '')];
    return known.find(({ pattern }) => path.some((one) => pattern.test(one)))?.compile();
  };
}
