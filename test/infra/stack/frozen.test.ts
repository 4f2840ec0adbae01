import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { bundleFrozenState } from '../../../infra/stack/frozen-state.ts';
import { readSettings } from '../../../infra/stack/settings.ts';
import { STATE, stateRows } from '../../../lib/archive/kinds/state.ts';
import { ARCHIVE_VERSION, manifestText } from '../../../lib/archive/manifest.ts';
import { ParquetFile } from '../../../lib/archive/parquet-file.ts';
import type { Frozen } from '../../../lib/runtime/frozen.ts';
import { readFrozenFile } from '../../../lib/runtime/frozen-file.ts';
import { PROD, synthesize } from '../../support/stack.ts';

/** A stage that is frozen: `-c archive=DIR`. */

const OPTIONS = { ...PROD, secret: 'staking-data/prod', warm: 'prices' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'frozen-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The resources by their logical IDs, without those that belong to a deployment of the API. */
async function resourcesOf(options: Record<string, string>): Promise<string[]> {
  const { resources } = await synthesize(options);
  return Object.keys(resources).filter((id) => !/Deployment/.test(id));
}

test('has no schedule, recorder, firewall or alarm of a source, and all else stays, so that it can be turned back', async () => {
  const live = await resourcesOf(OPTIONS);
  const frozen = await resourcesOf({ ...OPTIONS, archive: 'any' });
  const { ofType } = await synthesize({ ...OPTIONS, archive: 'any' });
  expect(ofType('AWS::Events::Rule')).toEqual([]);
  expect(ofType('AWS::WAFv2::WebACL')).toEqual([]);
  expect(ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties.MetricName)).toEqual([
    '5XXError',
    'Requests',
    'BytesDownloaded',
  ]);
  // What has been archived stays, and nothing deletes it.
  const archives = ofType('AWS::S3::Bucket').find(({ DeletionPolicy }) => DeletionPolicy === 'RetainExceptOnCreate');
  expect(archives?.Properties.LifecycleConfiguration).toEqual({
    Rules: [expect.not.objectContaining({ ExpirationInDays: expect.anything() })],
  });
  const gone = live.filter((id) => !frozen.includes(id)).map((id) => id.replace(/[0-9A-F]{8}$/, ''));
  expect(
    gone.filter((id) => !/Alarm|Recorder|Schedule|EdgeWebAcl|Warm|Permission|EventInvokeConfig/i.test(id)),
  ).toEqual([]);
  expect(frozen.filter((id) => !live.includes(id)).map((id) => id.replace(/[0-9A-F]{8,}$/, ''))).toEqual([
    'FrozenState',
  ]);
});

test('gives the state to all functions behind the API, and asks for no secret', async () => {
  const { ofType } = await synthesize({ ...OPTIONS, archive: 'any' });
  const functions = ofType('AWS::Lambda::Function').filter(
    ({ Properties }) => Properties.Environment?.Variables.CACHE_TABLE,
  );
  expect(functions.length).toBeGreaterThan(30);
  for (const { Properties } of functions) {
    expect(Properties.Layers).toHaveLength(1);
    expect(Properties.Environment.Variables).toMatchObject({ FROZEN_STATE: '/opt/frozen.json.gz' });
    expect(Properties.Environment.Variables).not.toHaveProperty('SECRET_ID');
  }
});

const FROZEN: Frozen = {
  block: { number: 9, timestamp: 1_789_158_328 },
  calls: new Map([
    ['call 0xa 0xb', { data: '0x01', reverted: false }],
    ['call 0xa 0xc 0xd', { data: '0x', reverted: true }],
    ['storage 0xa 0x0', { data: '0x02', reverted: false }],
  ]),
  datasets: new Map<string, unknown>([
    ['p-chain-supply@1', 10n ** 30n],
    ['validators@1', { validators: [{ nodeID: 'NodeID-1', amountStaked: 5n }], asOf: 7 }],
  ]),
};

function writeArchive(network: string): void {
  const file = new ParquetFile(join(folder, 'state.parquet'), STATE.columns);
  const rows = stateRows(FROZEN);
  for (const row of rows) file.add(row);
  const files = [{ name: 'state.parquet', kind: 'state', rows: rows.length, ...file.close() }];
  const ledger = { version: 1, from: 1, to: 9, contracts: [] };
  const about = {
    archiveVersion: ARCHIVE_VERSION as typeof ARCHIVE_VERSION,
    network,
    chainId: 43_114,
    commit: 'c0ffee',
    day: '2026-09-11',
  };
  writeFileSync(join(folder, 'manifest.json'), manifestText({ ...about, block: FROZEN.block, ledger, files }));
}

test('takes the state from the archive as it is', async () => {
  writeArchive('avalanche');
  await bundleFrozenState(readSettings({ archive: folder }), folder);
  expect(readFrozenFile(join(folder, 'frozen/frozen.json.gz'))).toEqual(FROZEN);
});

test.each([
  ['fuji', /^-c archive=… is of fuji, and the stack of avalanche$/],
  [undefined, /^-c archive=… \/\S+: has no manifest\.json, so it is no archive/],
])('refuses an archive of %s in one line', async (network, message) => {
  if (network) writeArchive(network);
  await expect(bundleFrozenState(readSettings({ archive: folder }), folder)).rejects.toThrow(message);
});
