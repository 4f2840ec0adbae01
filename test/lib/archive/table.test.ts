import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { ggp, text, unixTime } from '../../../lib/api/units.ts';
import { ExportFolder } from '../../../lib/archive/export-folder.ts';
import { tableFields, writeRows } from '../../../lib/archive/table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const row = z.object({
  timestamp: unixTime.schema('Time of it.'),
  amount: ggp.schema('GGP paid.'),
  note: z.optional(text.schema('A note.')),
});

test('a table by year has a header in each file, exact decimals, and times as seconds and in ISO 8601', async () => {
  const folder = new ExportFolder(join(temporaryFolder('table'), 'out'));
  const table = { name: 'paid', meaning: 'A payment.', row, byYear: true };
  await folder.run('paid', async (files) => {
    writeRows(files, table, [{ timestamp: 1_735_689_599, amount: '1.000000000000000001', note: 'a, "b"' }]);
    writeRows(files, table, [{ timestamp: 1_735_689_600, amount: '123456789012345678901.5' }]);
    writeRows(files, table, [{ timestamp: 1_735_689_601, amount: '0', note: '=1+1' }]);
  });
  const header = 'timestamp,timestamp.iso,amount,note\r\n';
  const contentOf = (year: number) => readFileSync(join(folder.path, `data/paid-${year}.csv`), 'utf8');
  expect(contentOf(2024)).toBe(`${header}1735689599,2024-12-31T23:59:59Z,1.000000000000000001,"a, ""b"""\r\n`);
  expect(contentOf(2025)).toBe(
    `${header}1735689600,2025-01-01T00:00:00Z,123456789012345678901.5,\r\n1735689601,2025-01-01T00:00:01Z,0,'=1+1\r\n`,
  );
  expect(folder.files.map(({ rows }) => rows)).toEqual([1, 2]);
});

test('fields have type, unit and meaning; those that kinds of rows share say which kind means what', () => {
  expect(tableFields({ row })).toEqual([
    { name: 'timestamp', type: 'integer', description: expect.stringMatching(/^Time of it\./) },
    { name: 'timestamp.iso', type: 'datetime', description: '`timestamp` in ISO 8601 (UTC).' },
    { name: 'amount', type: 'number', description: expect.stringMatching(/^GGP paid\./), unit: 'GGP' },
    { name: 'note', type: 'string', description: 'A note.' },
  ]);
  const kinds = z.discriminatedUnion('type', [
    z.object({ type: z.literal('staked'), amount: text.schema('Put in.') }),
    z.object({ type: z.literal('claimed'), amount: text.schema('Taken out.') }),
  ]);
  expect(tableFields({ row: kinds })[1]).toEqual({
    name: 'amount',
    type: 'string',
    description: 'Put in. (staked); Taken out. (claimed)',
  });
});
