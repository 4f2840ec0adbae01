import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
/** Those of the code and its texts, without comments: documents may name them. */
const WORDS = new Set(
  FILES.filter((file) => !/\.md$|^test\/|^package-lock/.test(file)).flatMap((file) =>
    matches(read(file).replaceAll(COMMENT, ''), NAME),
  ),
);

/** A file or folder is named by its path from the root, or by the end of its path. `*` and `…` stand for anything. */
function hasFile(name: string): boolean {
  const place = name
    .replace(/^(\.{1,2}\/)+|\/$/g, '')
    .replace(/[.[\]()$]/g, '\\$&')
    .replace(/\*|…/g, '.*')
    .replace(/\{.*?\}/g, (list) => `(${list.slice(1, -1).replaceAll(',', '|')})`);
  const end = new RegExp(`${name.startsWith('.') ? '' : '(^|/)'}${place}(/|$)`);
  return FILES.some((file) => end.test(file));
}

const slug = (heading: string) => heading.toLowerCase().replace(/[^\w -]| /g, (sign) => (sign === ' ' ? '-' : ''));
const anchorsOf = (file: string) => matches(read(file), /^#+ (.+)$/gm).map(slug);
function isMissing(link: string, from = ''): boolean {
  const [path, anchor] = link.split('#');
  const file = path ? join(dirname(from), path) : from;
  return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
}

const OPTION = / --([\w-]+)/g;
/** True if a script is one, and the files that it runs declare these options. */
function takes(script: string, args: string): boolean {
  const command = SCRIPTS[script];
  const [entry] = /infra\/\S+\.ts/.exec(command ?? '') ?? [];
  // Of Jest and the CDK.
  if (!entry) return command !== undefined;
  const files = [entry, entry.replace('.ts', '-arguments.ts')].filter((file) => existsSync(file)).map(read);
  return matches(args, OPTION).every((option) => files.some((text) => new RegExp(`\\b${option}\\b('?:|')`).test(text)));
}

/** The commands in a text that this repository, its packages or Node 20 do not have, or not with these options. */
function wrongCommands(text: string): string[] {
  const npm = /npm (?:run (?:--silent )?([\w:]+)|(start|test))((?: -- [^\n`|)]*)?)/g;
  const cdk = /npx cdk ([\w-]+)([^\n`#]*)/g;
  const isWrong = ([, name = '', args = '']: RegExpMatchArray) => {
    const known = { ...CDK.globalOptions, ...CDK.commands[name]?.options };
    const context = matches(args, / -c (\w+)=/g).filter((option) => !OPTIONS.includes(option));
    return !(name in CDK.commands) || context.length > 0 || !matches(args, OPTION).every((option) => option in known);
  };
  const ofNpm = [...text.matchAll(npm)].filter(([, run = '', name = run, args = '']) => !takes(name, args));
  const ofCdk = [...text.replaceAll(/\$\([^)]*\)/g, '').matchAll(cdk)].filter(isWrong);
  return [...ofNpm, ...ofCdk, ...text.matchAll(/\bnode (?!infra\/tools\/node\.cjs)[\w./-]+\.ts\b/g)].map(
    ([command]) => command,
  );
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
/** What texts name in a certain place, and all that exists of it: outputs, alarms, the ledger's states in `/health`. */
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
  const named = [...inline, ...tests.map((name) => `test/${name}`)].join('\n');
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
  return new Function(`return ${/\d[\d_ */+]*/.exec(text)?.[0].replaceAll('_', '')}`)();
}
const count = (number: number) => number.toLocaleString('en');
const word = (number: number) => ['no', 'one', 'two', 'three', 'four', 'five'][number];
const { PER_API, PER_API_WITHOUT_FIREWALL, PER_ENDPOINT } = limits;
const LAG = lagOf({ name: 'avalanche' });

/** What documents say, made from the constants that decide it. */
const SENTENCES: Record<string, string[]> = {
  'docs/operations.md': [
    `history ${numberAt('functions/history-recorder.ts', 'MAX_BOUNDARIES')} points an hour`,
    `${numberAt('infra/stack/alarms.ts', 'REMINDER_DAYS')} and ${numberAt('infra/stack/alarms.ts', /REMINDER_DAYS = \[-\d+/)} days before \`endsOn\``,
    `keeps releases for ${numberAt('.github/workflows/deploy.yml', 'retention-days')} days`,
    `MaxReadRequestUnits=${numberAt('infra/stack/create-tables.ts', 'maxReadRequestUnits')},MaxWriteRequestUnits=${numberAt('infra/stack/create-tables.ts', "HistoryTable', historyTable, ")}`,
    `Functions read it every ${word(numberAt('lib/runtime/lambda-runtime.ts', 'SECRET_MS') / 60_000)} minutes`,
  ],
  'docs/costs.md': [
    `allows an address ${count(limits.REQUESTS_PER_ADDRESS)} requests in five minutes, ${limits.EXPENSIVE_PER_ADDRESS} of them`,
    `accepts ${PER_ENDPOINT.rate} requests a second per endpoint and ${PER_API.rate} in total; without a firewall, ${PER_API_WITHOUT_FIREWALL.rate}`,
    `month's budget in ${word(numberAt(SYMPTOMS, 'BUDGET_HOURS') / 24)} days`,
    `a miss, ${numberAt(SYMPTOMS, 'API_REQUESTS')} dollars a million`,
    `the cache's ${count(numberAt('infra/stack/create-tables.ts', /CacheTable.*?maxWriteRequestUnits/s))} write units`,
  ],
  'docs/settings.md': [`midnight (UTC), ${numberAt('lib/runtime/config.ts', 'DEFAULT_HOURLY_DAYS')} days ago`],
  'docs/events.md': [`${LAG} blocks after`],
  'lib/ledger/README.md': [`${word(LAG)} blocks before the head`],
  'infra/site/pages/guide/guide.md': [
    `once they are ${LAG} blocks old`,
    `for up to ${numberAt('lib/cache/cache-entry.ts', 'STALE_MS') / 3_600_000} hours`,
    `rounded to ${numberAt('lib/values/amounts.ts', 'SIGNIFICANT_DIGITS')} significant digits`,
    `up to ${numberAt('lib/protocol/accounts.ts', 'MAX_ADDRESSES')} addresses`,
  ],
  'SECURITY.md': [`sends ${count(numberAt('test/resilience/strange-requests.test.ts', 'REQUESTS'))} requests`],
};
test.each(Object.entries(SENTENCES))('%s has the numbers of the constants', (file, sentences) => {
  const text = read(file).replaceAll(/\s+/g, ' ');
  expect(sentences.filter((sentence) => !text.includes(sentence))).toEqual([]);
});
