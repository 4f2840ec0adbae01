import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { ENDPOINTS } from '../../../functions/index.ts';
import * as limits from '../../../infra/stack/limits.ts';
import { OPTIONS } from '../../../infra/stack/settings.ts';
import { lagOf } from '../../../lib/ledger/coverage.ts';

/** What documents and comments name exists; numbers are those of the constants. Generated ones: test/integration/generated.test.ts. */

const FILES = globSync('{*,.*,{lib,functions,infra,test,docs,.ci,.github}/**}').filter((path) =>
  statSync(path).isFile(),
);
const read = (file: string) => readFileSync(file, 'utf8');
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([all, first = all]) => first);
const COMMENT = /\/\*.*?\*\/|(?<=^|\s)\/\/ [^\n]*/gs;
const TICKED = /`(?!--)([\w.-]+)`/g;
const SCRIPTS: Record<string, string> = JSON.parse(read('package.json')).scripts;
const { commands, globalOptions } = JSON.parse(read('node_modules/aws-cdk/lib/cli/cli-type-registry.json'));
const GUIDES = FILES.filter((file) => file.endsWith('.md'));

/** A header, or a word. */
const NAME = /[A-Z][a-z]*(?:-[A-Z][a-z]+)+|\w+/g;
const CODE = FILES.filter((file) => !/\.md$|^test\/|^package-lock/.test(file));
/** Words of the code without comments and names in its texts, which these and documents may name. */
const WORDS = new Set(CODE.flatMap((file) => matches(read(file).replaceAll(COMMENT, '').replaceAll(TICKED, ''), NAME)));

/** A file, folder or test is named by its path from the root, or by the end of it. `*` and `…` stand for anything. */
function hasFile(name: string): boolean {
  const pattern = name.replace(/^(\.{1,2}\/)+|\/$/g, '').replaceAll(/…|^(?=\.(?!ci|github))/g, '*');
  return FILES.some((file) => matchesGlob(file, `{,**/}${pattern}{,/**,.ts,{,.chain}.test.ts}`));
}

const slug = (heading: string) => heading.toLowerCase().replace(/[^\w -]| /g, (sign) => (sign === ' ' ? '-' : ''));
function isMissing(link: string, from = ''): boolean {
  const [path, anchor] = link.split('#');
  // The guide's links are paths of the site.
  if (path && from.includes('/pages/')) return !hasPath(path.replace(/^(\.\.\/)+|\.md$/g, ''));
  const file = path ? join(dirname(from), path) : from;
  const headings = () => matches(read(file), /^#+ (.+)$/gm).map(slug);
  return !existsSync(file) || (anchor !== undefined && !headings().includes(anchor));
}

/** The options in a program's help, which is empty for a verb that it does not have. */
const helpOf = (program: string, ...args: string[]) =>
  matches(spawnSync(program, args, { encoding: 'utf8' }).stdout ?? '', /--(?:\[?no-\]?)?([\w-]+)/g);
/** The options of a program's verb, `*` for any, as on a machine without curl; none if there is no such verb. */
function listOptions(program: string, verb = '', next = ''): string[] {
  if (program === 'curl') return spawnSync(program).error ? ['*'] : helpOf(program, '--help', 'all');
  if (program === 'git') return helpOf('git', verb, '-h');
  if (program === 'npm' && !/^(start|test)$/.test(verb)) return helpOf('npm', verb, '--help');
  if (program === 'cdk') return Object.keys({ ...(commands[verb] && globalOptions), ...commands[verb]?.options });
  const [entry] = /infra\/\S+\.ts/.exec(SCRIPTS[verb] ?? '') ?? [];
  // Scripts that run Jest or the CDK take any option. npx installs a package that has a version.
  if (/@\d/.test(verb) || (verb in SCRIPTS && !entry)) return ['*'];
  if (program === 'npx') return helpOf(`node_modules/.bin/${verb}`, ...matches(next, /^\w+$/g), '--help');
  const files = entry ? [entry, entry.replace('.ts', '-arguments.ts')].filter((file) => existsSync(file)) : [];
  return matches(files.map(read).join(), /([\w-]+)(?='?:|')/g);
}

const COMMAND =
  /(npm run|(?<![\w-])cdk(?= [a-z])|node(?= [\w./-]+\.ts)|(?<=^ *|[`'(|]|&& |run )(?:npm|npx|git|curl)) (?!run |cdk )([^\n`|)#&;]*)/gm;
/** The commands in a text that this repository, its packages, npm, git, curl or Node 20 do not have, or not with these options. */
function wrongCommands(text: string): string[] {
  const plain = text.replaceAll(/\$\([^)]*\)|\\\n|' \+\s+'|--silent /g, '');
  const isRight = ([, program = '', args = '']: RegExpMatchArray) => {
    const known = listOptions(program, ...matches(args, /[^\s,'"]*[^\s,.'"]/g));
    const options = matches(args, /(?<=^| )(?:--(?:no-)?([\w-]+)|-c (?!name)\w+(?==))/g);
    const isKnown = (option: string) => known.includes(option) || OPTIONS.includes(option.replace('-c ', ''));
    return known[0] === '*' || (known.length > 0 && options.every(isKnown));
  };
  return [...plain.matchAll(COMMAND)].filter((command) => !isRight(command)).map(([command]) => command);
}

/** Names of contracts have capitals. */
const FIELDS = /((?:`[a-z][\w.]*`(?:,| and| or)* )+)(?:of|in) (?:`\w+` (?:of|in) )?`(\/[\w/{}]+)[`?]/g;
/** Fields that a text names beside the path of an endpoint, and which its answers do not have. */
function wrongFields(text: string): string[] {
  // The changelog's first column names fields that were removed.
  const named = text.replaceAll(/\n(\|[^|\n]*)?|\s+/g, ' ').matchAll(FIELDS);
  return [...named].flatMap(([, names = '', path]) => {
    const endpoint = Object.values(ENDPOINTS).find((one) => one.path === path);
    const schema = JSON.stringify(endpoint && z.toJSONSchema(endpoint.response(), { io: 'input' }));
    return matches(names, /\w+(?=[.`])/g).filter((name) => !schema?.includes(`"${name}"`));
  });
}

const PATH =
  /(?<![\w./:@-])(?:(?:lib|functions|infra|test|docs|\.ci|resilience|integration|browser)\/[\w./{},*…-]*[\w}]|\.?\w[\w./-]*\.(?:tsx?|md|cjs))(?![\w/])/g;
/** What a text names like a file of this repository, and is none. */
const wrongFiles = (text: string) => matches(text, PATH).filter((path) => !hasFile(path) && !FOREIGN.test(path));

/** Names and files of AWS, GitHub, the protocol's contracts and other programs, and paths of pages. */
const FOREIGN =
  /^(DynamoDB|CloudFront|CloudFormation|CloudWatch|EventBridge|GitHub|JavaScript|TypeScript|OpenAPI|PublicNode|DefiLlama|CycloneDX|CNAMEAlreadyExists|U?P?D?A?T?E?_?ROLLBACK_\w+|FailedInvocations|UnblendedCost|AssumeRole|PricingPlanManager|sub|getMinUnstakeOnBehalfOfAmt|snowscan|xyz|python|Last-Modified|AprPercent|ETH_RPC_URL|SAM_SKIP_PULL_IMAGE|AWS_DEFAULT_REGION|sts|SimpleCORS|CDKToolkit|RewardsByStake|\w+NotFound(OrNoValue)?|FixedPointMathLib|\w+WadDown|MaxValidator\w+|inflate|recreateMinipool|slash|recordStakingEnd|getExpiredRequestsCount|AllowedTokenAdded|TRANSFER_FROM_FAILED|0xff|\/?docs\/(guide|contracts)(\.md)?|lib\/checksum\.ts)$/;
const unknownIn = (names: string[]) =>
  matches(names.join(' '), NAME).filter((name) => /[a-z]{3}|_/.test(name) && !WORDS.has(name) && !FOREIGN.test(name));
/** Paths of the site, of providers, archives and buckets. */
const SITE = /^\/(dashboard|docs|openapi\.json|llms\.txt|archive|api|assets|ext|address|guide|staking-data-prod)(\/|$)/;

const SYMPTOMS = 'infra/stack/symptoms.ts';
/** Patterns of texts that name outputs, alarms and the ledger's states in `/health`, each with all names that exist. */
const PLACES: [named: RegExp, known: string[]][] = [
  [/\boutput `(\w+)`/g, matches(read('infra/stack/stack.ts'), /^ +\['(\w+)',/gm)],
  [/\balarm ([A-Z]\w+)/g, matches(read(SYMPTOMS), /^ +id: '(\w+)'/gm)],
  [/^- \*\*`(\w+)`\*\*/gm, matches(read('functions/health.ts'), /^ {2}(\w+): /gm)],
];

/** True if there is such a path, or paths that begin so. An ellipsis or `*` stands for the rest. */
function hasPath(name: string): boolean {
  const [path = ''] = `/${name}`.split(/[?#*…]|\/$/);
  const begin = path === `/${name}` ? `${path}/` : path;
  const pattern = (known: string) =>
    known.replace(/\{(address|nodeID)\}/g, '(\\{\\w+\\}|0x\\w+)').replace(/\{\w+\}/g, '[^/]+');
  const isPath = (known: string) => new RegExp(`^${pattern(known)}$`).test(path) || known.startsWith(begin);
  return SITE.test(path) || Object.values(ENDPOINTS).some((endpoint) => isPath(endpoint.path));
}

test.each(GUIDES)('%s names links, commands, files, fields, settings, alarms and endpoints that exist', (guide) => {
  const text = read(guide);
  const links = matches(text, /(?:\]\(|src=")(?!\w+:|\{|#search)([^)"\s]*)/g).filter((link) => isMissing(link, guide));
  const wrong = [links, wrongCommands(text), wrongFiles(text.replaceAll(/https?:\S+/g, '')), wrongFields(text)].flat();
  // They name what is gone, and events of the contracts that are not indexed.
  if (/changelog|events/.test(guide)) return expect(wrong).toEqual([]);
  const prose = text.replaceAll(/```.*?```|\]\([^)]*\)|https?:\S+|`[^`\n]*=[^`\n]*`/gs, '');
  const named = matches(prose, /`(?!--)[\w.-]+`|\b[A-Za-z][a-z]+[A-Z][a-z]+\w*\b/g);
  const names = [...named, ...matches(text, /(?<=^|[\s`])([A-Z][A-Z_]+)=/g)];
  const paths = matches(text, /(?:(?<=`|localhost:3000)\/|<BaseUrl>)(?=[a-z])([\w/{}.…*-]+)/gi);
  const misplaced = PLACES.flatMap(([named, known]) => matches(text, named).filter((name) => !known.includes(name)));
  expect([...wrong, ...unknownIn(names), ...misplaced, ...paths.filter((path) => !hasPath(path))]).toEqual([]);
});

test('comments and texts of the code name files, commands, fields and headings that exist', () => {
  const wrong = FILES.filter((file) => /\.(tsx?|[cm]?js|sol|yml)$/.test(file)).flatMap((file) => {
    const text = file.startsWith('test/') ? matches(read(file), COMMENT).join('\n') : read(file);
    const names = CODE.includes(file) ? unknownIn(matches(text, TICKED)) : [];
    const links = matches(text, /\bdocs\/\w+\.md#[\w-]+/g).filter((link) => isMissing(link));
    return [wrongFiles(text), wrongCommands(text), wrongFields(text), names, links].flat().map((name) => [file, name]);
  });
  expect(wrong).toEqual([]);
});

test('docs/settings.md documents each environment variable and option, docs/contributing.md each script', () => {
  const variables = matches(read('lib/runtime/config.ts'), /^ {2}([A-Z][A-Z_]+):/gm);
  const [settings = '', stack = ''] = read('docs/settings.md').split('## Options of the stack');
  expect([variables.length > 5, variables.filter((name) => !settings.includes(`\`${name}\``))]).toEqual([true, []]);
  expect(matches(matches(stack, /^\| (`.+?`) +\|/gm).join(), /`(\w+)`/g).sort()).toEqual([...OPTIONS].sort());
  const isShown = (script: string) => new RegExp(`npm (run )?${script}\\b`).test(read('docs/contributing.md'));
  expect(Object.keys(SCRIPTS).filter((script) => !isShown(script))).toEqual([]);
});

/** The first number after this text in a file: an expression of numbers. */
function numberAt(file: string, name: RegExp | string): number {
  const [, text = ''] = read(file).split(typeof name === 'string' ? new RegExp(`\\b${name}\\b`) : name);
  return new Function(`return ${/\d[\d_ */+]*/.exec(text)?.[0].replaceAll(/_|[ */+]+$/g, '')}`)();
}
const word = (number: number) => ['no', 'one', 'two', 'three', 'four', 'five'][number];
const LAG = lagOf({ name: 'avalanche' });

/** What documents say, made from the constants that decide it. */
const SENTENCES = [
  `history ${numberAt('functions/history-recorder.ts', 'MAX_BOUNDARIES')} points an hour`,
  `${numberAt('infra/stack/alarms.ts', 'REMINDER_DAYS')} and ${numberAt('infra/stack/alarms.ts', /REMINDER_DAYS = \[-\d+/)} days before \`endsOn\``,
  `keeps releases for ${numberAt('.github/workflows/deploy.yml', 'retention-days')} days`,
  `MaxReadRequestUnits=${numberAt('infra/stack/create-tables.ts', 'maxReadRequestUnits')},MaxWriteRequestUnits=${numberAt('infra/stack/create-tables.ts', "HistoryTable', historyTable, ")} # of the ledger: ${numberAt('infra/stack/create-tables.ts', 'maxReadRequestUnits')} and ${numberAt('infra/stack/create-tables.ts', "LedgerTable', ledgerTable, ")}`,
  `up to ${numberAt('lib/history/distributions.ts', 'CYCLE_SECONDS') / 86_400} days after the cycle's start`,
  `\`degraded\` after ${word(numberAt('functions/health.ts', 'MAX_COMPARED_SECONDS'))} days`,
  `Functions read it every ${word(numberAt('lib/runtime/lambda-runtime.ts', 'SECRET_MS') / 60_000)} minutes`,
  `allows an address ${limits.REQUESTS_PER_ADDRESS} requests in five minutes, ${limits.EXPENSIVE_PER_ADDRESS} of them`,
  `accepts ${limits.PER_ENDPOINT.rate} requests a second per endpoint and ${limits.PER_API.rate} in total; without a firewall, ${limits.PER_API_WITHOUT_FIREWALL.rate}`,
  `month's budget in ${word(numberAt(SYMPTOMS, 'BUDGET_HOURS') / 24)} days; it counts every request that reaches the API as a miss, ${numberAt(SYMPTOMS, 'API_REQUESTS')} dollars a million`,
  `ahead of the clock | ${numberAt('lib/runtime/config.ts', /MAX_HEAD_AGE_SECONDS.*? the check/)} |`,
  `the cache's ${numberAt('infra/stack/create-tables.ts', /CacheTable.*?maxWriteRequestUnits/s)} write units`,
  `midnight (UTC), ${numberAt('lib/runtime/config.ts', 'DEFAULT_HOURLY_DAYS')} days ago`,
  `tried last for ${numberAt('lib/chain/upstream/failures.ts', 'PENALTY_MS') / 1_000} seconds`,
  `older than ${numberAt('lib/archive/edition.ts', 'MAX_AGE_SECONDS') / 60} minutes`,
  `${LAG} blocks after`,
  `400 for more than ${numberAt('lib/api/file.ts', 'MAX_LIST_BYTES') / 1_000_000} MB`,
  `${word(matches(read(SYMPTOMS), /^ +page: '/gm).length)} also page`,
  `picks a free one | ${numberAt('infra/local/system.ts', 'function parsePort')} |`,
  `At most ${numberAt('lib/ledger/mismatch.ts', 'MOST_DOUBTS')} of each`,
  `more than ${numberAt(SYMPTOMS, /id: 'LedgerLag'.*?threshold/s)} blocks`,
  `more than ${numberAt(SYMPTOMS, /id: 'OldHead'.*?threshold/s) / 60} minutes old`,
  `${word(LAG)} blocks before the head`,
  `once they are ${LAG} blocks old`,
  `for up to ${numberAt('lib/cache/cache-entry.ts', 'STALE_MS') / 3_600_000} hours`,
  `rounded to ${numberAt('lib/values/amounts.ts', 'SIGNIFICANT_DIGITS')} significant digits`,
  `up to ${numberAt('lib/protocol/accounts.ts', 'MAX_ADDRESSES')} addresses`,
  `sends ${numberAt('test/resilience/strange-requests.test.ts', 'REQUESTS')} requests`,
];
test('documents and alarms have the numbers of the constants', () => {
  const text = [...GUIDES, SYMPTOMS]
    .map(read)
    .join('\n')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<=\d),(?=\d{3})/g, '');
  expect(SENTENCES.filter((sentence) => !text.toLowerCase().includes(sentence.toLowerCase()))).toEqual([]);
});
