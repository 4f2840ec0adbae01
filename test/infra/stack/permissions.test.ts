import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../../functions/index.ts';
import { type Json, PROD, type Synthesized, synthesize } from '../../support/stack.ts';

/** The permissions of functions. */

let stack: Synthesized;
beforeAll(async () => {
  stack = await synthesize(PROD);
});

/** What the policies of the role of the function with this description allow, as `table:Action`. */
function allowed(description: string, { ofType } = stack): string[] {
  const { Role } = ofType('AWS::Lambda::Function').find(
    ({ Properties }) => Properties.Description === description,
  ).Properties;
  const tableOf = (resource: Json) => /(Cache|History|Ledger)Table/.exec(JSON.stringify(resource))?.[1] ?? '';
  const actions = ofType('AWS::IAM::Policy')
    .filter(({ Properties }) => Properties.Roles.some(({ Ref }: Json) => Ref === Role['Fn::GetAtt'][0]))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .flatMap(({ Action, Resource }) =>
      [Resource]
        .flat()
        .flatMap((one: Json) =>
          [Action].flat().map((action: string) => action.replace('dynamodb:', `${tableOf(one)}:`)),
        ),
    );
  return [...new Set(actions)].sort();
}

const on = (table: string, ...actions: string[]) => actions.map((action) => `${table}:${action}`);
const CACHE = on('Cache', 'GetItem', 'PutItem', 'UpdateItem');
const LOG = on('logs', 'CreateLogStream', 'PutLogEvents');

test.each(Object.entries(ENDPOINTS))(
  '%s may only read the tables that it needs, and its log',
  (_, { summary, reads = [] }) => {
    const history = reads.includes('history') || reads.includes('flags') ? on('History', 'GetItem', 'Query') : [];
    const ledger = reads.includes('ledger') ? on('Ledger', 'GetItem', 'Query') : [];
    expect(allowed(summary)).toEqual([...CACHE, ...LOG, ...history, ...ledger].sort());
  },
);

test('only the recorders write history and ledger, and none scans a table', () => {
  const ledger = on('Ledger', 'GetItem', 'Query');
  expect(allowed('Records the points of the history endpoints')).toEqual(
    [
      ...[...CACHE, ...LOG, ...ledger, ...on('Ledger', 'PutItem')],
      ...on('History', 'Query', 'PutItem', 'BatchWriteItem'),
    ].sort(),
  );
  expect(allowed("Records the protocol's events")).toEqual(
    [...LOG, ...ledger, ...on('Ledger', 'PutItem', 'DeleteItem', 'BatchWriteItem')].sort(),
  );
  for (const { Action } of stack.statements) expect([Action].flat()).not.toContain('dynamodb:Scan');
});

test('no action is allowed by a wildcard, and a resource only where SECURITY.md gives a reason', () => {
  const sections = readFileSync('SECURITY.md', 'utf8').split(/^## /m);
  const section = sections.find((text) => text.startsWith('Permissions')) ?? '';
  const rows = [...section.matchAll(/^\| (`s3.+?) +\| .+?`(\S+)` +\|/gm)].map(([, actions = '', resource]) =>
    [...actions.matchAll(/`(\w+:\w+)`/g)].map(([, action]) => `${action} ${resource}`),
  );
  const wide = stack.statements.flatMap(({ Action, Resource }) => {
    expect(JSON.stringify(Action)).not.toContain('*');
    return [Resource].flat().flatMap((resource: Json) => {
      const [, pattern] = /"([^"]*\*)"/.exec(JSON.stringify(resource)) ?? [];
      return pattern ? [Action].flat().map((action: string) => `${action} ${pattern}`) : [];
    });
  });
  expect(wide.length).toBeGreaterThan(2);
  expect([...new Set(wide)].sort()).toEqual(rows.flat().sort());
});

test.each(['blue', 'green'])('only assets of %s can be read, in the bucket that all stacks share', async (stage) => {
  const { statements, ofType } = await synthesize({ ...PROD, stage });
  const reading = statements.filter(({ Action }) => Action === 's3:GetObject');
  expect(reading).toHaveLength(1);
  expect(JSON.stringify(reading[0].Resource)).toMatch(new RegExp(`-assets-.+/staking-data-${stage}/\\*`));
  for (const { Properties } of ofType('AWS::Lambda::Function'))
    expect(Properties.Code.S3Key).toMatch(new RegExp(`^staking-data-${stage}/\\w+\\.zip$`));
});

test.each(['staking-data/rpc', 'arn:aws:secretsmanager:us-east-1:123456789012:secret:staking-data/rpc-a1b2c3'])(
  'every function of the service reads the secret %s, whose content is not in the template',
  async (secret) => {
    const own = await synthesize({ secret });
    const functions = own.ofType('AWS::Lambda::Function').map(({ Properties }) => Properties);
    const readers = functions.filter(({ Description }) =>
      allowed(Description, own).includes('secretsmanager:GetSecretValue'),
    );
    expect(readers.map(({ Environment }) => Environment.Variables.SECRET_ID)).toEqual(
      Array.from({ length: functions.length - 1 }, () => secret),
    );
    expect(JSON.stringify(own.json)).not.toContain('RPC_URLS');
  },
);
