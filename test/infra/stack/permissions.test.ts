import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../../functions/index.ts';
import { type Json, PROD, type Synthesized, synthesize } from '../../support/stack.ts';

/** The permissions of functions. */

let stack: Synthesized;
beforeAll(async () => {
  stack = await synthesize(PROD);
});

/** The actions that the policies of a function's role allow. */
function actionsOf({ Role }: Json, { ofType } = stack): Set<string> {
  const statements = ofType('AWS::IAM::Policy')
    .filter(({ Properties }) => Properties.Roles.some(({ Ref }: Json) => Ref === Role['Fn::GetAtt'][0]))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  return new Set(statements.flatMap(({ Action }: Json) => Action));
}

/** The actions of the function with this description. */
function allowed(description: string): string[] {
  const fn = stack.ofType('AWS::Lambda::Function').find(({ Properties }) => Properties.Description === description);
  return [...actionsOf(fn.Properties)].sort();
}

/** The number of policies that allow writing to a table. */
function writersOf(table: string): number {
  return stack
    .ofType('AWS::IAM::Policy')
    .filter(({ Properties }) =>
      Properties.PolicyDocument.Statement.some(
        ({ Action, Resource }: Json) =>
          JSON.stringify(Resource).includes(table) && [Action].flat().includes('dynamodb:PutItem'),
      ),
    ).length;
}

const CACHE = ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'];
const LOG = ['logs:CreateLogStream', 'logs:PutLogEvents'];

describe('permissions', () => {
  test.each(Object.entries(ENDPOINTS))('of %s are those it needs and no others', (_, { summary, reads = {} }) => {
    const tables = 'history' in reads || 'ledger' in reads ? ['dynamodb:Query'] : [];
    expect(allowed(summary)).toEqual([...CACHE, 'dynamodb:BatchGetItem', ...LOG, ...tables].sort());
  });

  test('to write history and ledger are only their recorders’', () => {
    const history = allowed('Records the points of the history endpoints');
    const again = ['dynamodb:Scan', 'dynamodb:DeleteItem'];
    expect(history).toEqual([...CACHE, ...LOG, 'dynamodb:Query', ...again].sort());
    const ledger = allowed("Records the protocol's events");
    expect(ledger).toEqual(
      [...CACHE, ...LOG, 'dynamodb:Query', 'dynamodb:DeleteItem', 'dynamodb:BatchWriteItem'].sort(),
    );
    expect([writersOf('DurableHistory'), writersOf('DurableLedger')]).toEqual([1, 1]);
  });

  test('allow no action by a wildcard', () => {
    expect(stack.statements.length).toBeGreaterThan(15);
    for (const { Action } of stack.statements) expect(JSON.stringify(Action)).not.toContain('*');
  });

  test('have wildcards for resources only where SECURITY.md gives a reason', () => {
    const sections = readFileSync('SECURITY.md', 'utf8').split(/^## /m);
    const section = sections.find((text) => text.startsWith('Permissions')) ?? '';
    const rows = [...section.matchAll(/^\| (`s3.+?) +\| .+?`(\S+)` +\|/gm)].map(([, actions = '', resource]) =>
      [...actions.matchAll(/`(\w+:\w+)`/g)].map(([, action]) => `${action} ${resource}`),
    );
    const wide = stack.statements.flatMap(({ Action, Resource }) =>
      [Resource].flat().flatMap((resource: Json) => {
        const [, pattern] = /"([^"]*\*)"/.exec(JSON.stringify(resource)) ?? [];
        return pattern ? [Action].flat().map((action: string) => `${action} ${pattern}`) : [];
      }),
    );
    expect(wide.length).toBeGreaterThan(3);
    expect([...new Set(wide)].sort()).toEqual(rows.flat().sort());
  });

  test.each(['blue', 'green'])(
    'allow reading assets of %s only, in the bucket that all stacks share',
    async (stage) => {
      const { statements, ofType } = await synthesize({ ...PROD, stage });
      const reading = statements.filter(({ Action }) => Action === 's3:GetObject');
      expect(reading).toHaveLength(1);
      expect(JSON.stringify(reading[0].Resource)).toMatch(new RegExp(`-assets-.+/staking-data-${stage}/\\*`));
      for (const { Properties } of ofType('AWS::Lambda::Function'))
        expect(Properties.Code.S3Key).toMatch(new RegExp(`^staking-data-${stage}/\\w+\\.zip$`));
    },
  );

  test.each(['staking-data/rpc', 'arn:aws:secretsmanager:us-east-1:123456789012:secret:staking-data/rpc-a1b2c3'])(
    'let every function read the secret %s, whose content is not in the template',
    async (secret) => {
      const own = await synthesize({ secret });
      const functions = own.ofType('AWS::Lambda::Function').map(({ Properties }) => Properties);
      const readers = functions.filter((fn) => actionsOf(fn, own).has('secretsmanager:GetSecretValue'));
      expect(readers.map(({ Environment }) => Environment.Variables.SECRET_ID)).toEqual(
        Array.from({ length: functions.length - 1 }, () => secret),
      );
      expect(JSON.stringify(own.json)).not.toContain('RPC_URLS');
    },
  );
});
