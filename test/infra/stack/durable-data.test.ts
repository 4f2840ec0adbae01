import { beforeAll, describe, expect, test } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { type Json, PROD, synthesize } from '../../support/stack.ts';

/** The tables with recorded data, which outlive the stack. */

let template: Template;
beforeAll(async () => {
  ({ template } = await synthesize(PROD));
});

// `cdk deploy --import-existing-resources` takes over only what is retained and has a name without references.
test.each([
  ['series', 'staking-data-prod-history'],
  ['subject', 'staking-data-prod-ledger'],
])('the table of %s outlives the stack, under a fixed name by which a new one finds it', (AttributeName, TableName) => {
  template.hasResource('AWS::DynamoDB::Table', {
    DeletionPolicy: 'RetainExceptOnCreate',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      TableName,
      KeySchema: Match.arrayWith([{ AttributeName, KeyType: 'HASH' }]),
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      // Or CloudFormation could not delete it when a first deployment fails.
      DeletionProtectionEnabled: Match.absent(),
    },
  });
});

describe('with historyTable and ledgerTable', () => {
  const adopted = { historyTable: 'history-of-tuesday', ledgerTable: 'StakingData-prod-LedgerTable38A58B60-1ABC' };

  test('the stack uses those tables instead of its own, and leaves them as they are', async () => {
    const { json, ofType } = await synthesize({ ...PROD, ...adopted });
    expect(ofType('AWS::DynamoDB::Table')).toHaveLength(1);
    const used = ofType('AWS::Lambda::Function').flatMap(
      ({ Properties }) => Properties.Environment?.Variables.HISTORY_TABLE ?? [],
    );
    expect(new Set(used)).toEqual(new Set([adopted.historyTable]));
    expect(JSON.stringify(json)).not.toContain('staking-data-prod-history');
    expect(JSON.stringify(json)).not.toContain('staking-data-prod-ledger');
  });

  test('functions may do with them what they may do with the stack’s own', async () => {
    /** Returns the permitted actions on the tables, by role. */
    const grants = ({ ofType }: { ofType: (type: string) => Json[] }, isTable: (resource: string) => boolean) =>
      ofType('AWS::IAM::Policy').flatMap(({ Properties }) =>
        Properties.PolicyDocument.Statement.filter(({ Resource }: Json) => isTable(JSON.stringify(Resource))).map(
          ({ Action }: Json) => [Properties.Roles[0].Ref, Action],
        ),
      );
    const own = grants(await synthesize(PROD), (resource) => /Durable(History|Ledger)Table/.test(resource));
    expect(own.length).toBeGreaterThan(3);
    const names = Object.values(adopted);
    const others = grants(await synthesize({ ...PROD, ...adopted }), (resource) =>
      names.some((name) => resource.includes(`:table/${name}"`)),
    );
    expect(others.sort()).toEqual(own.sort());
  });
});
