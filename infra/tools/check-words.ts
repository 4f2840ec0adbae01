/**
 * `npm run check`, words: docstrings begin with a noun phrase or a verb, lines of comments end before column 160, and texts for people
 * use the field's terms.
 */

import { globSync, readFileSync } from 'node:fs';

const MAX_COLUMNS = 160;
const DOCSTRING = /\/\*\*\s*(?:\*\s*)?([A-Za-z]+)/g;
const FORBIDDEN_BEGINNINGS = /^(What|How|Whether|Who|Whoever|Whose|Which|Of|Where|When|Why|That|Those|As|If)$/;
/** Words for which the field has another one. */
const FORBIDDEN_WORDS =
  /\b(whoever|nobody knows|is bound to|contradict(?:ed|ion)|proven|unproven|heals?|healed|storeys?|takes? over|ends? whole|tried out)\b/i;

/** The faults in a file, each with its line. */
function faultsIn(path: string, text: string): string[] {
  const lineOf = (place: number) => text.slice(0, place).split('\n').length;
  const faults = path.endsWith('.md')
    ? [...text.matchAll(new RegExp(FORBIDDEN_WORDS, 'gi'))].map(({ index, 0: word }) => [index, `"${word}"`] as const)
    : [...text.matchAll(DOCSTRING)].flatMap(({ index, 1: word = '' }) =>
        FORBIDDEN_BEGINNINGS.test(word) ? [[index, `a docstring that begins with "${word}"`] as const] : [],
      );
  const long = text.split('\n').flatMap((line, index) => {
    const isComment = !path.endsWith('.md') && /^\s*(\/?\* |\/\/)/.test(line);
    return isComment && line.length > MAX_COLUMNS
      ? [`${path}:${index + 1}: a comment beyond column ${MAX_COLUMNS}`]
      : [];
  });
  return [...faults.map(([place, what]) => `${path}:${lineOf(place)}: ${what}`), ...long];
}

const sources = globSync('{functions,lib,infra,test}/**/*.{ts,tsx}');
const texts = globSync(['*.md', 'docs/*.md', 'infra/site/pages/**/*.md']);
const faults = [...sources, ...texts].flatMap((path) => faultsIn(path, readFileSync(path, 'utf8')));
for (const fault of faults) console.error(fault);
console.log(`Words: ${sources.length + texts.length} files, ${faults.length} faults`);
if (faults.length > 0) process.exitCode = 1;
