import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, matchesGlob } from 'node:path';
import { expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../../functions/index.ts';
import * as limits from '../../../infra/stack/limits.ts';
import { OPTIONS } from '../../../infra/stack/settings.ts';
import { lagOf } from '../../../lib/ledger/coverage.ts';

/** What documents and comments name exists; numbers are those of the constants. Generated ones: test/integration/generated.test.ts. */

const FILES = ['.', 'lib', 'functions', 'infra', 'test', 'docs', '.ci', '.github'].flatMap((folder) =>
  readdirSync(folder, { recursive: folder !== '.', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name)),
);
const read = (file: string) => readFileSync(file, 'utf8');
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([all, first = all]) => first);
const COMMENT = /\/\*.*?\*\/|(?<=^|\s)\/\/ [^\n]*/gs;
const SCRIPTS: Record<string, string> = JSON.parse(read('package.json')).scripts;
const CDK = JSON.parse(read('node_modules/aws-cdk/lib/cli/cli-type-registry.json'));
const GUIDES = FILES.filter((file) => file.endsWith('.md'));

/** A header, or a word. */
const NAME = /[A-Z][a-z]*(?:-[A-Z][a-z]+)+|\w+/g;
/** Words of the code and its texts without comments, which documents may name. */
const WORDS = new Set(
  FILES.filter((file) => !/\.md$|^test\/|^package-lock/.test(file)).flatMap((file) =>
    matches(read(file).replaceAll(COMMENT, ''), NAME),
  ),
);

/** A file or folder is named by its path from the root, or by the end of its path. `*` and `…` stand for anything. */
function hasFile(name: string): boolean {
  const pattern = name.replace(/^(\.{1,2}\/)+|\/$|^\.(?=ci|github)/g, '').replaceAll(/…|^(?=\.)/g, '*');
  // Globs pass over names that begin with a dot.
  return FILES.some((file) => matchesGlob(file.replace(/^\./, ''), `{,**/}${pattern}{,/**}`));
}

const slug = (heading: string) => heading.toLowerCase().replace(/[^\w -]| /g, (sign) => (sign === ' ' ? '-' : ''));
const anchorsOf = (file: string) => matches(read(file), /^#+ (.+)$/gm).map(slug);
function isMissing(link: string, from = ''): boolean {
  const [path, anchor] = link.split('#');
  const file = path ? join(dirname(from), path) : from;
  return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
}

const npm = createRequire(process.env.npm_execpath ?? import.meta.url);
const GIT = execFileSync('git', ['--list-cmds=main'], { encoding: 'utf8' }).split('\n');
/** The options of a program's verb, `*` for any; undefined if there is no such verb. */
function listOptions(program: string, verb: string): string[] | undefined {
  if (program === 'git') return GIT.includes(verb) ? ['*'] : undefined;
  const isNpms = program === 'npm' && npm('../lib/utils/cmd-list.js').commands.includes(verb);
  if (program === 'npm') return isNpms ? Object.keys(npm('@npmcli/config/lib/definitions').definitions) : undefined;
  if (program === 'npx cdk')
    return CDK.commands[verb] && Object.keys({ ...CDK.globalOptions, ...CDK.commands[verb].options });
  const [entry] = /infra\/\S+\.ts/.exec(SCRIPTS[verb] ?? '') ?? [];
  // Scripts that run Jest or the CDK take any option.
  if (!entry) return SCRIPTS[verb] === undefined ? undefined : ['*'];
  const files = [entry, entry.replace('.ts', '-arguments.ts')].filter((file) => existsSync(file));
  return matches(files.map(read).join(), /([\w-]+)(?='?:|')/g);
}

const COMMAND = /(npm run|npx cdk|(?<=^ *|[`(]|&& )(?:npm|git)) (?!run )([\w:-]+)([^\n`|)#&]*)/gm;
/** The commands in a text that this repository, its packages, npm, git or Node 20 do not have, or not with these options. */
function wrongCommands(text: string): string[] {
  const plain = text.replaceAll(/\$\([^)]*\)/g, '').replaceAll(/npm (?:run --silent |(?=start|test))/g, 'npm run ');
  const isWrong = ([, program = '', verb = '', args = '']: RegExpMatchArray) => {
    const [known, options] = [listOptions(program, verb), matches(args, / --(?:no-)?([\w-]+)/g)];
    const areKnown = known?.[0] === '*' || options.every((option) => known?.includes(option));
    return !known || !areKnown || !matches(args, / -c (\w+)=/g).every((option) => OPTIONS.includes(option));
  };
  const ofNode = text.matchAll(/\bnode (?!infra\/tools\/node\.cjs)[\w./-]+\.ts\b/g);
  return [...[...plain.matchAll(COMMAND)].filter(isWrong), ...ofNode].map(([command]) => command);
}

const PATH =
  /(?<![\w./:@-])(?:(?:lib|functions|infra|test|docs|\.ci)\/[\w./{},*…-]*[\w}]|[\w./-]+\.(?:tsx?|md|cjs))(?![\w/])/g;
/** What a text names like a file of this repository, and is none. */
const wrongFiles = (text: string) =>
  matches(text, PATH).filter(
    (path) => ![path, `${path}.test.ts`, `${path}.chain.test.ts`].some(hasFile) && !FOREIGN_FILES.test(path),
  );

/** Names of AWS, GitHub, the protocol's contracts and other programs. */
const FOREIGN =
  /^(DynamoDB|CloudFront|CloudFormation|CloudWatch|EventBridge|GitHub|JavaScript|TypeScript|OpenAPI|PublicNode|DefiLlama|CycloneDX|CNAMEAlreadyExists|U?P?D?A?T?E?_?ROLLBACK_\w+|FailedInvocations|UnblendedCost|AssumeRole|PricingPlanManager|cloudformation|policies|sub|getMinUnstakeOnBehalfOfAmt|snowscan|xyz|python|Last-Modified|AprPercent|ETH_RPC_URL|SAM_SKIP_PULL_IMAGE|AWS_DEFAULT_REGION|sts|SimpleCORS|CDKToolkit)$/;
/** Addresses of pages, and files of other repositories. */
const FOREIGN_FILES = /^(\/?docs\/guide(\.md)?|lib\/checksum\.ts)$/;
/** Paths of pages, providers, archives and buckets. */
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
  const [path = ''] = name.split(/[?#*…]|\/$/);
  const begin = path === name ? `${path}/` : path;
  const pattern = (known: string) =>
    known.replace(/\{(address|nodeID)\}/g, '(\\{\\w+\\}|0x\\w+)').replace(/\{\w+\}/g, '[^/]+');
  const isPath = (known: string) => new RegExp(`^${pattern(known)}$`).test(path) || known.startsWith(begin);
  return SITE.test(path) || Object.values(ENDPOINTS).some((endpoint) => isPath(endpoint.path));
}

test.each(GUIDES)('%s names links, commands, files, fields, settings, alarms and endpoints that exist', (guide) => {
  const text = read(guide);
  const inline = matches(text.replaceAll(/```.*?```/gs, ''), /`([^`\n]+)`/g);
  const links = matches(text, /(?:\]\(|src=")(?!\w+:)([^)"\s]*)/g).filter((link) => {
    // Filled in when a page is made; and the guide's links are paths of the site.
    if (/^\{|^#search$/.test(link)) return false;
    if (!guide.includes('/pages/') || link.startsWith('#')) return isMissing(link, guide);
    return !hasPath(`/${link.replace(/#.*/, '').replace(/^(\.\.\/)+|\.md$/g, '')}`);
  });
  // The last column of the threats names tests.
  const tests = guide === 'SECURITY.md' ? matches(text, /(?<=[|,] )`(\w[\w/-]+)`(?=[^|\n]*\|$)/gm) : [];
  const named = [text.replaceAll(/https?:\S+/g, ''), ...tests.map((name) => `test/${name}`)].join('\n');
  const wrong = [...links, ...wrongCommands(text), ...wrongFiles(named)];
  // They name what is gone, and events of the contracts that are not indexed.
  if (/changelog|events/.test(guide)) return expect(wrong).toEqual([]);
  const prose = text.replaceAll(/```.*?```|\]\([^)]*\)|https?:\S+|`[^`\n]*=[^`\n]*`/gs, '');
  const names = [
    ...inline.filter((name) => /^[\w.-]+$/.test(name)).flatMap((name) => matches(name, NAME)),
    ...matches(prose, /\b[A-Za-z][a-z]+[A-Z][a-z]+\w*\b/g),
    ...matches(text, /(?<=^|[\s`])([A-Z][A-Z_]+)=/g),
  ].filter((name) => /[a-z]{3}|_/.test(name) && !WORDS.has(name) && !FOREIGN.test(name));
  const paths = [
    ...inline.filter((name) => /^\/[a-zA-Z]/.test(name)),
    ...matches(text, /(?:localhost:3000\/|<BaseUrl>)([\w/{}.-]+)/g).map((path) => `/${path}`),
  ];
  const misplaced = PLACES.flatMap(([named, known]) => matches(text, named).filter((name) => !known.includes(name)));
  expect([...wrong, ...names, ...misplaced, ...paths.filter((path) => !hasPath(path))]).toEqual([]);
});

test('comments name files and commands that exist, and messages headings', () => {
  const wrong = FILES.filter((file) => /\.(tsx?|[cm]?js|sol)$/.test(file)).flatMap((file) => {
    const comments = matches(read(file), COMMENT).join('\n');
    const headings = matches(read(file), /\bdocs\/\w+\.md#[\w-]+/g).filter((link) => isMissing(link));
    return [...wrongFiles(comments), ...wrongCommands(comments), ...headings].map((name) => `${file}: ${name}`);
  });
  expect(wrong).toEqual([]);
});

test('docs/settings.md documents each environment variable and option, docs/contributing.md each script', () => {
  const variables = matches(read('lib/runtime/config.ts'), /^ {2}([A-Z][A-Z_]+):/gm);
  const [settings = '', stack = ''] = read('docs/settings.md').split('## Options of the stack');
  expect([variables.length > 5, variables.filter((name) => !settings.includes(`\`${name}\``))]).toEqual([true, []]);
  expect(matches(matches(stack, /^\| (`.+?`) +\|/gm).join(), /`(\w+)`/g).sort()).toEqual([...OPTIONS].sort());
  // Jest is run without options there, and the others without "run".
  const scripts = Object.keys(SCRIPTS).filter((name) => !/^(start|test|jest)$/.test(name));
  expect(scripts.filter((script) => !read('docs/contributing.md').includes(`npm run ${script}`))).toEqual([]);
});

/** The first number after this text in a file: an expression of numbers. */
function numberAt(file: string, name: RegExp | string): number {
  const [, text = ''] = read(file).split(typeof name === 'string' ? new RegExp(`\\b${name}\\b`) : name);
  return new Function(`return ${/\d[\d_ */+]*/.exec(text)?.[0].replaceAll(/_|[ */+]+$/g, '')}`)();
}
const count = (number: number) => number.toLocaleString('en');
const word = (number: number) => ['no', 'one', 'two', 'three', 'four', 'five'][number];
const LAG = lagOf({ name: 'avalanche' });

/** What documents say, made from the constants that decide it. */
const SENTENCES = [
  `history ${numberAt('functions/history-recorder.ts', 'MAX_BOUNDARIES')} points an hour`,
  `${numberAt('infra/stack/alarms.ts', 'REMINDER_DAYS')} and ${numberAt('infra/stack/alarms.ts', /REMINDER_DAYS = \[-\d+/)} days before \`endsOn\``,
  `keeps releases for ${numberAt('.github/workflows/deploy.yml', 'retention-days')} days`,
  `MaxReadRequestUnits=${numberAt('infra/stack/create-tables.ts', 'maxReadRequestUnits')},MaxWriteRequestUnits=${numberAt('infra/stack/create-tables.ts', "HistoryTable', historyTable, ")}`,
  `up to ${numberAt('lib/history/distributions.ts', 'CYCLE_SECONDS') / 86_400} days after the cycle's start`,
  `\`degraded\` after ${word(numberAt('functions/health.ts', 'MAX_COMPARED_SECONDS'))} days`,
  `Functions read it every ${word(numberAt('lib/runtime/lambda-runtime.ts', 'SECRET_MS') / 60_000)} minutes`,
  `allows an address ${count(limits.REQUESTS_PER_ADDRESS)} requests in five minutes, ${limits.EXPENSIVE_PER_ADDRESS} of them`,
  `accepts ${limits.PER_ENDPOINT.rate} requests a second per endpoint and ${limits.PER_API.rate} in total; without a firewall, ${limits.PER_API_WITHOUT_FIREWALL.rate}`,
  `month's budget in ${word(numberAt(SYMPTOMS, 'BUDGET_HOURS') / 24)} days`,
  `a miss, ${numberAt(SYMPTOMS, 'API_REQUESTS')} dollars a million`,
  `the cache's ${count(numberAt('infra/stack/create-tables.ts', /CacheTable.*?maxWriteRequestUnits/s))} write units`,
  `midnight (UTC), ${numberAt('lib/runtime/config.ts', 'DEFAULT_HOURLY_DAYS')} days ago`,
  `tried last for ${numberAt('lib/chain/upstream/failures.ts', 'PENALTY_MS') / 1_000} seconds`,
  `older than ${numberAt('lib/archive/edition.ts', 'MAX_AGE_SECONDS') / 60} minutes`,
  `${LAG} blocks after`,
  `At most ${numberAt('lib/ledger/mismatch.ts', 'MOST_DOUBTS')} of each`,
  `more than ${count(numberAt(SYMPTOMS, /id: 'LedgerLag'.*?threshold/s))} blocks`,
  `more than ${numberAt(SYMPTOMS, /id: 'OldHead'.*?threshold/s) / 60} minutes old`,
  `${word(LAG)} blocks before the head`,
  `once they are ${LAG} blocks old`,
  `for up to ${numberAt('lib/cache/cache-entry.ts', 'STALE_MS') / 3_600_000} hours`,
  `rounded to ${numberAt('lib/values/amounts.ts', 'SIGNIFICANT_DIGITS')} significant digits`,
  `up to ${numberAt('lib/protocol/accounts.ts', 'MAX_ADDRESSES')} addresses`,
  `sends ${count(numberAt('test/resilience/strange-requests.test.ts', 'REQUESTS'))} requests`,
];
test('documents and alarms have the numbers of the constants', () => {
  const text = [...GUIDES, SYMPTOMS].map(read).join('\n').replaceAll(/\s+/g, ' ');
  expect(SENTENCES.filter((sentence) => !text.includes(sentence))).toEqual([]);
});
