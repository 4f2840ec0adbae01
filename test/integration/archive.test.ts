import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { getAddress, toBeHex } from 'ethers';
import { ARCHIVED_LISTS, type Bodies } from '../../functions/index.ts';
import { answerTo, pagesOf, protocolRequests, subjectRequests } from '../../infra/archive-site/answers.ts';
import { writeWebsite } from '../../infra/archive-site/website.ts';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import { verifyArchive } from '../../infra/verify/archive.ts';
import { createServices, type Services } from '../../lib/api/services.ts';
import { compareEvents } from '../../lib/archive/compare-chain.ts';
import { exportArchive } from '../../lib/archive/export.ts';
import { importArchive } from '../../lib/archive/import.ts';
import { listSources } from '../../lib/archive/lists.ts';
import { subjectsIn } from '../../lib/archive/subjects.ts';
import { readManifest } from '../../lib/archive/verify-files.ts';
import { type Runtime, runtimeWith } from '../../lib/runtime/lambda-runtime.ts';
import { act, type Fork, forkDevnet } from '../functions/devnet.ts';
import { fillTables, startArchivist } from '../lib/archive/sample.ts';
import { recordAllDays, recordCycles, recordLedger, recordValidatorPast } from '../support/recorded.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { startTables, tablesForAllTests } from '../support/tables.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const GUARD_MS = 900_000;

/**
 * An archive of the devnet: its website returns the same responses as the service at the archive's block, and empty
 * tables are filled from it.
 */

tablesForAllTests();
// Two exports take a few seconds each on an idle machine, and minutes on one that other tests share.
jest.setTimeout(GUARD_MS);

let folder: string;
let archive: string;
let fork: Fork;
/** Addresses of people who each have nothing but the named asset or lock. */
const only = { pstAvax: '', xGgp: '', xAvax: '', lock: '' };

beforeAll(async () => {
  folder = temporaryFolder('archive');
  archive = join(folder, 'archive');
  fork = await forkDevnet();
  await enterOtherContracts();
  const { opened } = startOnFork();
  await recordLedger();
  await recordLedger({ opened });
  await recordCycles();
  await recordAllDays();
  await recordValidatorPast();
  await exportArchive(opened, archive, 'c0ffee', {
    moreSources: (block) => listSources(opened, block, ARCHIVED_LISTS),
    moreFiles: (made, kinds) => writeWebsite(opened, made, kinds),
  });
}, GUARD_MS);
afterAll(async () => {
  await fork.stop();
});

/** Gives four new people one thing each, which the ledger does not index. */
async function enterOtherContracts(): Promise<void> {
  const { TokenpstAVAX, XGGP, XAVAX, AssetLocker } = DEVNET_ADDRESSES;
  const { alba, ada } = fork.people;
  const [pstAvax = '', xGgp = '', xAvax = '', lock = ''] = ['a1', 'a2', 'a3', 'a4'].map((byte) =>
    getAddress(`0x${byte.repeat(20)}`),
  );
  Object.assign(only, { pstAvax, xGgp, xAvax, lock });
  for (const person of Object.values(only)) {
    await fork.rpc.send('anvil_impersonateAccount', person);
    await fork.rpc.send('anvil_setBalance', person, toBeHex(10n ** 20n));
  }
  const one = 10n ** 18n;
  const send = async (from: string, to: string, signature: string, args: unknown[], value = 0n) =>
    expect([signature, await act(fork, from, to, signature, args, value)]).toEqual([signature, true]);
  await send(pstAvax, TokenpstAVAX, 'depositAVAX()', [], one);
  await send(xAvax, XAVAX, 'depositAVAX()', [], one);
  await send(ada, XGGP, 'transfer(address,uint256)', [xGgp, one]);
  await send(alba, TokenpstAVAX, 'transfer(address,uint256)', [lock, one]);
  await send(lock, TokenpstAVAX, 'approve(address,uint256)', [AssetLocker, one]);
  await send(lock, AssetLocker, 'lockTokens(address,uint256,uint256)', [TokenpstAVAX, one, 14 * 86_400]);
}

const startOnFork = () => startOnDevnet({ RPC_URLS: fork.url });

/** A service that reads the devnet's tables, and the archive's block from the chain. */
function live(): Runtime<Services> {
  const { config, telemetry, limits } = startOnFork().opened;
  return runtimeWith(createServices(config, telemetry, { limits, pinned: readManifest(archive).block }));
}

/** Files from the index of validators. They are as of the index's response, not as of the archive's block. */
const ofTheIndex = /^validators(\/[^/]+)?$/;

/** The archived requests, spread over all kinds in an order that looks random. */
async function drawn(count: number) {
  const { addresses, nodes } = await subjectsIn(archive, readManifest(archive).files);
  const years = [2026];
  const names = ['accounts', 'ggAvax', 'withdrawals', 'stakers', 'rewards', 'minipools', 'validators'];
  const all = [
    ...protocolRequests(years),
    ...addresses.flatMap((address) => subjectRequests('address', address, { names, years })),
    ...nodes.flatMap((node) => subjectRequests('nodeID', node, { names, years })),
  ].filter(({ file }) => existsSync(join(archive, 'api', `${file}.json`)) && !ofTheIndex.test(file));
  return Array.from({ length: Math.min(count, all.length) }, (_, index) => all[(index * 7_919) % all.length]).filter(
    (request) => request !== undefined,
  );
}

test('no cell of a CSV file has more than 32,000 characters: spreadsheets cut off longer ones', () => {
  const files = readdirSync(archive, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.csv'));
  expect(files.length).toBeGreaterThan(30);
  for (const name of files) {
    const cells = readFileSync(join(archive, name), 'utf8').match(/"(?:[^"]|"")*"|[^,\r\n]+/g) ?? [];
    const longest = cells.reduce((longest, cell) => Math.max(longest, cell.length), 0);
    expect([name, longest < 32_000]).toEqual([name, true]);
  }
});

test('200 answers of the website equal those of the live service at its block, byte for byte', async () => {
  const runtime = live();
  const requests = await drawn(200);
  const different: string[] = [];
  for (const request of requests) {
    for await (const { file, text } of pagesOf(runtime, request)) {
      const archived = readFileSync(join(archive, 'api', `${file}.json`), 'utf8');
      if (archived !== text) different.push(file);
    }
  }
  expect([requests.length, different]).toEqual([200, []]);
});

describe('everybody is in it', () => {
  const accountOf = (address: string): Bodies['/accounts/{address}'] =>
    JSON.parse(readFileSync(join(archive, `api/accounts/${address.toLowerCase()}.json`), 'utf8'));

  test.each<[keyof typeof only, (account: Bodies['/accounts/{address}']) => unknown]>([
    ['pstAvax', ({ pstAvax }) => pstAvax],
    ['xGgp', ({ xGgp }) => xGgp?.shares],
    ['xAvax', ({ xAvax }) => xAvax?.shares],
    ['lock', ({ locked }) => locked?.[0]?.amount],
  ])('who only has %s', (kind, amountOf) => {
    expect(Number(amountOf(accountOf(only[kind])))).toBeGreaterThan(0);
    const page = readFileSync(join(archive, `address/${only[kind].toLowerCase()}.html`), 'utf8');
    expect(page).toContain(only[kind]);
  });

  test('who holds ggAVAX, stakes GGP, runs a minipool or has a request', async () => {
    const { holders, stakers, nodes } = await subjectsIn(archive, readManifest(archive).files);
    for (const address of [...holders, ...stakers]) expect(accountOf(address).address.toLowerCase()).toBe(address);
    expect(readdirSync(join(archive, 'node')).sort()).toEqual(nodes.map((node) => `${node}.html`));
    const requested = [...holders].filter((address) => accountOf(address).withdrawals.pending > 0);
    expect(requested.length).toBeGreaterThan(0);
  });
});

test('tax files are those that the service makes', async () => {
  const [address = ''] = readdirSync(join(archive, 'tax'));
  const files = readdirSync(join(archive, 'tax', address)).sort();
  expect(files).toEqual(
    ['events', 'koinly-eur', 'koinly-usd', 'rotki-eur', 'rotki-usd'].map((name) => `2026-${name}.csv`),
  );
  const [{ endpoint, params } = { endpoint: undefined, params: {} }] = subjectRequests('address', address, {
    names: ['accounts'],
    years: [],
  }).filter(({ file }) => file.endsWith('/income'));
  if (!endpoint) throw new Error('no income');
  const query = { format: 'koinly', currency: 'eur', year: '2026' };
  const text = await answerTo(live(), { endpoint, params, query });
  expect(readFileSync(join(archive, 'tax', address, '2026-koinly-eur.csv'), 'utf8')).toBe(text);
});

test('an export that is interrupted goes on with who is missing, and gives the same files', async () => {
  const again = join(folder, 'again');
  const { opened } = startOnFork();
  const exported = (stopAfter: number) =>
    exportArchive(opened, again, 'c0ffee', {
      moreSources: (block) => listSources(opened, block, ARCHIVED_LISTS),
      moreFiles: (made, kinds) =>
        writeWebsite(opened, made, kinds, {
          onStep: (done) => {
            if (done === stopAfter) throw new Error('interrupted');
          },
        }),
    });
  await expect(exported(5)).rejects.toThrow('interrupted');
  await exported(Number.POSITIVE_INFINITY);
  const hashes = (of: string) => readFileSync(join(of, 'website.sha256'), 'utf8').split('\n');
  const people = (of: string) => hashes(of).filter((line) => /(accounts|tax)\/0x/.test(line));
  expect(people(again)).toEqual(people(archive));
});

describe('npm run verify -- DIR', () => {
  /** A copy of the archive in which one file is changed. With `rehash`, all hashes are those of the change. */
  function changed(name: string, change: (text: string) => string, rehash = true): string {
    const copy = mkdtempSync(join(folder, 'changed-'));
    cpSync(archive, copy, { recursive: true });
    replace(copy, name, change);
    if (!rehash) return copy;
    replace(copy, 'website.sha256', (text) => text.replace(hashLine(archive, name), hashLine(copy, name)));
    const [before, after] = [archive, copy].map((of) => sha256(join(of, 'website.sha256'))) as [string, string];
    replace(copy, 'manifest.json', (text) => text.replace(before, after));
    return copy;
  }
  function replace(of: string, name: string, change: (text: string) => string): void {
    const text = readFileSync(join(of, name), 'utf8');
    expect(change(text)).not.toBe(text);
    writeFileSync(join(of, name), change(text));
  }
  const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  const hashLine = (of: string, name: string) => `${sha256(join(of, name))}  ${name}`;
  /** Returns the path of the income of an address that has earned something. */
  const anyIncome = () => `api/accounts/${readdirSync(join(archive, 'tax'))[0]}/income.json`;

  test('finds nothing in an archive as it was exported', async () => {
    const { files, answers, incomes, faults } = await verifyArchive(archive);
    expect(faults).toEqual([]);
    expect(Math.min(files, answers, incomes)).toBeGreaterThan(40);
  });

  test.each([
    ['events-2026.csv', /^events-2026\.csv: has \d+ bytes instead of \d+$/],
    ['index.html', /^index\.html: is damaged: its SHA-256 is not the one in website\.sha256$/],
  ])('finds that %s is damaged', async (name, fault) => {
    const { faults } = await verifyArchive(changed(name, (text) => `${text} `, false));
    expect(faults).toEqual([expect.stringMatching(fault)]);
  });

  test('finds a wrong hash', async () => {
    const { faults } = await verifyArchive(
      changed('manifest.json', (text) => text.replace(/"sha256": "../, '"sha256": "00'), false),
    );
    expect(faults).toEqual([expect.stringMatching(/: is damaged: its SHA-256 is not the one in manifest\.json$/)]);
  });

  test('finds an amount of income that is not in the events, though all hashes are right', async () => {
    const name = anyIncome();
    const { faults } = await verifyArchive(changed(name, (text) => text.replace(/"amount":"/, '"amount":"1')));
    expect(faults).toEqual([
      expect.stringMatching(/^api\/accounts\/0x\w+\/income\.json: \w+ adds up to \d+ wei, by the tables to \d+$/),
    ]);
  });

  test('finds an answer that does not match its schema', async () => {
    const asText = (text: string) => text.replace(/"tvl_usd":([\d.]+)/, '"tvl_usd":"$1"');
    const { faults } = await verifyArchive(changed('api/metrics.json', asText));
    expect(faults).toEqual(['api/metrics.json: /tvl_usd must be number']);
  });
});

describe('a comparison with the chain', () => {
  const compared = () => ({ folder: archive, manifest: readManifest(archive) });

  test('finds events as they are', async () => {
    expect(await compareEvents(startOnFork().opened, compared())).toBeGreaterThanOrEqual(20);
  });

  test('finds events that are not on the chain', async () => {
    const tables = await startTables();
    const archivist = startArchivist();
    await fillTables(archivist);
    const other = join(folder, 'other');
    const manifest = await exportArchive(archivist.opened, other, 'c0ffee');
    await expect(compareEvents(startOnFork().opened, { folder: other, manifest })).rejects.toThrow(
      /^events: block \d+, log \d+, of transaction 0x\w{64}, differs from the chain; do not use this archive$/,
    );
    await tables.stop();
  });
});

test('a service whose empty tables are filled from the archive answers the same', async () => {
  const requests = await drawn(50);
  const tables = await startTables();
  const runtime = live();
  await importArchive(await runtime.context(), archive, readManifest(archive));
  for (const request of requests) {
    for await (const { file, text } of pagesOf(runtime, request))
      expect([file, text]).toEqual([file, readFileSync(join(archive, 'api', `${file}.json`), 'utf8')]);
  }
  await tables.stop();
});
