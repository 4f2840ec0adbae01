import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match, type Template } from 'aws-cdk-lib/assertions';
import { createTopics } from '../../../infra/stack/alarm-topic.ts';
import { readSettings } from '../../../infra/stack/settings.ts';
import { type Json, PROD, type Synthesized, synthesize } from '../../support/stack.ts';

/** Alarms, who hears of them, and the dashboard: of the stage `prod`, where each alarm sends e-mails of its own. */

// Shared by most tests, because each synthesis takes a second or more.
let template: Template;
let resources: Record<string, Json>;
let ofType: Synthesized['ofType'];
let named: Synthesized['named'];

beforeAll(async () => {
  ({ template, resources, ofType, named } = await synthesize(PROD));
});

describe('alarms', () => {
  const guide = readFileSync('docs/alarms.md', 'utf8');
  /** The alarms in the guide's table, and how soon somebody has to respond. */
  const rows = [...guide.matchAll(/^\| \[(\w+)\].*\| (.+?) +\|$/gm)].map(([, id, respond]) => [id, respond] as const);

  test('are all documented in the operator’s guide, each with a row and a section', () => {
    const headings = [...guide.matchAll(/^### (\w+)$/gm)].map(([, id]) => id as string);
    const names = Object.keys(resources).flatMap((name) => /^(\w+)Alarm[0-9A-F]{8}$/.exec(name)?.[1] ?? []);
    expect(names).toHaveLength(ofType('AWS::CloudWatch::Alarm').length);
    expect(headings.toSorted()).toEqual(names.toSorted());
    expect(rows.map(([id]) => id)).toEqual(headings);
  });

  const alarmOf = (id: string): Json => named(`${id}Alarm`);
  /** What an alarm's actions start: the topics by their names, and the function of the archives' gate. */
  const started = (actions: Json[] = []) =>
    actions.map((action) => (action.Ref ?? action['Fn::GetAtt'][0]).replace(/[0-9A-F]{8}$/, '')).toSorted();

  test.each(rows)('%s is heard of (%s), also when it is over, and describes what it means', (id = '', respond) => {
    const { Properties } = alarmOf(id);
    const expected = [respond === 'now' ? 'UrgentAlarms' : 'Alarms', ...(id === 'EdgeBytes' ? ['ArchivesGate'] : [])];
    expect(Properties.AlarmDescription).toMatch(
      new RegExp(`^.{30,} What to do: docs/alarms\\.md#${id.toLowerCase()}$`),
    );
    expect(started(Properties.AlarmActions)).toEqual(expected);
    expect(started(Properties.OKActions)).toEqual(expect.arrayContaining(expected));
    // A new alarm starts without data, so its state does not change; with "breaching" it would be raised at once.
    const missing = ['RecorderMissing', 'LedgerLag', 'ArchiveMissing'].includes(id) ? 'missing' : 'notBreaching';
    expect(Properties.TreatMissingData).toBe(missing);
  });

  test.each([
    '2026-11-23T22:01:00.000Z\t0f2a\tERROR\tInvoke Error\t{"errorType":"Error","errorMessage":"…","stack":[]}',
    '2026-11-23T22:06:00.000Z 0f2a Task timed out after 300.00 seconds',
    'RequestId: 0f2a Error: Runtime exited with error: signal: killed',
  ])('the query for failures in the operator’s guide finds what Lambda itself logs: %j', (line) => {
    const [, pattern = '^$'] =
      /^failures='.*@message like \/(.+)\/'$/m.exec(readFileSync('docs/alarms.md', 'utf8')) ?? [];
    expect(line).toMatch(new RegExp(pattern));
  });

  test('Latency ignores periods with too few requests for a percentile, in which some cold starts would raise it', () => {
    const ignoring = Object.entries(resources).filter(
      ([, { Properties }]) => Properties?.EvaluateLowSampleCountPercentile === 'ignore',
    );
    expect(ignoring.map(([name]) => name)).toEqual([expect.stringMatching(/^LatencyAlarm/)]);
  });

  test.each(['RecorderMissing', 'LedgerLag', 'ArchiveMissing'])(
    '%s is silent until the first run, and wakes somebody if runs end',
    (id) => {
      const { Properties } = alarmOf(id);
      expect(started(Properties.InsufficientDataActions)).toEqual(['UrgentAlarms']);
      expect(started(Properties.OKActions)).toContain('UrgentAlarms');
    },
  );

  test('ring when CloudFront alone would use up the month’s budget in two days, also on a frozen stage', async () => {
    const limits = (of: Synthesized) =>
      ['Requests', 'BytesDownloaded'].map((name) => {
        const found = of.ofType('AWS::CloudWatch::Alarm').find(({ Properties }) => Properties.MetricName === name);
        const { Namespace, Statistic, Period, Threshold } = found.Properties;
        expect([Namespace, Statistic, Period]).toEqual(['AWS/CloudFront', 'Sum', 300]);
        return Threshold;
      });
    const [requests, bytes] = limits(await synthesize(PROD));
    const periods = (48 * 3_600) / 300;
    expect(requests * periods * 1.7e-6).toBeCloseTo(100, 0);
    expect(bytes * periods * 0.085e-9).toBeCloseTo(100, 0);
    expect(limits(await synthesize({ ...PROD, archive: 'any' }))).toEqual([requests, bytes]);
    expect(limits(await synthesize({ ...PROD, budget: '10' }))[1]).toBeCloseTo(bytes / 10, -1);
  });

  test('close the archives for a day after a quarter of an hour of downloads, and nothing else', async () => {
    const { DatapointsToAlarm, EvaluationPeriods, Period } = alarmOf('EdgeBytes').Properties;
    expect([DatapointsToAlarm * Period, EvaluationPeriods * Period]).toEqual([900, 86_400]);
    const frozen = await synthesize({ ...PROD, archive: 'any' });
    for (const { statements } of [await synthesize(PROD), frozen]) {
      const gate = statements.find(({ Action }: Json) => Action.includes('s3:PutBucketPolicy'));
      expect(gate.Action).toEqual(['s3:GetBucketPolicy', 's3:PutBucketPolicy']);
      expect(gate.Resource['Fn::GetAtt'][0]).toMatch(/^ArchivesBucket/);
    }
  });

  test('cover the edge if there is one', async () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/CloudFront',
      MetricName: '5xxErrorRate',
      Statistic: 'Average',
      Dimensions: Match.arrayWith([{ Name: 'Region', Value: 'Global' }]),
    });
    const { ofType: typesWithout } = await synthesize();
    expect(typesWithout('AWS::CloudWatch::Alarm')).toHaveLength(ofType('AWS::CloudWatch::Alarm').length - 4);
  });

  test('distinguish failures of the table from failed answers', () => {
    expect(alarmOf('NothingAnswers').Properties.MetricName).toBe('CacheError');
    expect(alarmOf('TableErrors').Properties.MetricName).toBe('TableError');
  });

  test('cover requests that the API has limited', () => {
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ $.error = "THROTTLED" }',
      MetricTransformations: [
        Match.objectLike({ MetricNamespace: 'StakingDataService/staking-data-prod', MetricName: 'RateLimited' }),
      ],
    });
  });

  test('are sent over TLS to the configured e-mail addresses', async () => {
    const [{ Properties }] = ofType('AWS::SNS::TopicPolicy');
    expect(Properties.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
    const heard = async (context: Record<string, string>) =>
      (await synthesize(context))
        .ofType('AWS::SNS::Subscription')
        .map(({ Properties: { TopicArn, Protocol, Endpoint } }) => [...started([TopicArn]), Protocol, Endpoint]);
    const mail = ['Alarms', 'email', 'ops@example.org'];
    expect(await heard({})).toEqual([]);
    expect(await heard(PROD)).toEqual([['UrgentAlarms', 'email', 'ops@example.org'], mail]);
    const pageEmail = 'now@example.org';
    expect(await heard({ ...PROD, pageEmail })).toEqual([['UrgentAlarms', 'email', pageEmail], mail]);
  });

  test('without an e-mail address cause a warning when the stack is deployed', () => {
    const stack = new Stack(new App(), 'Test');
    const mailed = new Stack(new App(), 'Test');
    createTopics(stack, readSettings({}));
    createTopics(mailed, readSettings({ alarmEmail: 'ops@example.org' }));
    Annotations.fromStack(stack).hasWarning(
      '/Test',
      Match.stringLikeRegexp('Nobody is notified of alarms.*alarmEmail'),
    );
    expect(Annotations.fromStack(mailed).findWarning('*', Match.anyValue())).toEqual([]);
  });

  test.each([
    ['cloudwatch.amazonaws.com', ':cloudwatch:us-east-1:', ':alarm:*'],
    ['budgets.amazonaws.com', ':budgets::', ':*'],
  ])('reach the topic: %s may publish, for this account only', (service, ...source) => {
    const { Statement } = ofType('AWS::SNS::TopicPolicy')[0].Properties.PolicyDocument;
    const { Action, Condition } = Statement.find(
      ({ Effect, Principal }: Json) => Effect === 'Allow' && Principal.Service === service,
    );
    expect(Action).toBe('sns:Publish');
    expect(Condition.StringEquals).toEqual({ 'aws:SourceAccount': { Ref: 'AWS::AccountId' } });
    const arn = Condition.ArnLike['aws:SourceArn']['Fn::Join'][1];
    expect(arn).toEqual(['arn:', { Ref: 'AWS::Partition' }, source[0], { Ref: 'AWS::AccountId' }, source[1]]);
  });
});

describe('by default, one alarm for all others', () => {
  let one: Synthesized;
  let rule: string;
  beforeAll(async () => {
    one = await synthesize();
    const [{ Properties }] = one.ofType('AWS::CloudWatch::CompositeAlarm');
    rule = Properties.AlarmRule['Fn::Join'][1].map((part: Json) => part['Fn::GetAtt']?.[0] ?? part).join('');
  });
  const named = (id: string) => Object.keys(one.resources).find((name) => name.startsWith(`${id}Alarm`)) as string;

  test('is raised by each, and sends the only e-mails', () => {
    const all = Object.keys(one.template.findResources('AWS::CloudWatch::Alarm'));
    expect(all.length).toBeGreaterThan(8);
    for (const id of all) {
      expect(rule).toContain(`ALARM("${id}")`);
      const { AlarmActions, OKActions, InsufficientDataActions } = one.resources[id].Properties;
      expect([AlarmActions, OKActions, InsufficientDataActions]).toEqual([undefined, undefined, undefined]);
    }
    const [{ Properties }] = one.ofType('AWS::CloudWatch::CompositeAlarm');
    expect(Properties.AlarmActions).toEqual(Properties.OKActions);
    expect(one.resources[Properties.AlarmActions[0].Ref].Type).toBe('AWS::SNS::Topic');
    expect(rule).not.toMatch(/\bAND\b|\bNOT\b/);
  });

  test('is also raised if a recorder no longer reports, and by no other missing data', () => {
    const missing = [...rule.matchAll(/INSUFFICIENT_DATA\("(\w+)"\)/g)].map(([, id]) => id);
    expect(missing.sort()).toEqual([named('LedgerLag'), named('RecorderMissing')].sort());
  });

  test('is not there if each sends its own', () => {
    template.resourceCountIs('AWS::CloudWatch::CompositeAlarm', 0);
  });
});

describe('the dashboard', () => {
  test('is there only if it is asked for, because it costs more than all alarms', () => {
    template.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
  });

  test.each(['on', 'off'])('graphs each metric once, and no empty graph (edge %s)', async (edge) => {
    const { ofType: of } = await synthesize({ dashboard: 'on', edge });
    const [{ Properties }] = of('AWS::CloudWatch::Dashboard');
    const body = JSON.stringify(Properties.DashboardBody);
    expect(body.includes('5xxErrorRate')).toBe(edge === 'on');
    for (const name of ['BlockedRequests', 'BytesDownloaded']) expect(body.includes(name)).toBe(edge === 'on');
    expect(body).toContain('RateLimited');
    expect(body).not.toContain('\\"metrics\\":[]');
  });
});

test('the monthly budget is the configured one, by default 100 dollars, and notifies before it is spent', async () => {
  const budgets = [await synthesize(PROD), await synthesize({ budget: '250' })].map(
    ({ ofType: of }) => of('AWS::Budgets::Budget')[0].Properties,
  );
  expect(budgets.map(({ Budget }) => Budget.BudgetLimit)).toEqual([
    { Amount: 100, Unit: 'USD' },
    { Amount: 250, Unit: 'USD' },
  ]);
  // Credits end: until then, a new account would hear nothing.
  expect(budgets[0].Budget.CostTypes).toEqual({ IncludeCredit: false, IncludeRefund: false });
  const notices = budgets[0].NotificationsWithSubscribers;
  expect(notices.map(({ Notification }: Json) => [Notification.NotificationType, Notification.Threshold])).toEqual([
    ['ACTUAL', 25],
    ['ACTUAL', 50],
    ['ACTUAL', 100],
    ['FORECASTED', 100],
  ]);
  for (const { Subscribers } of notices)
    expect(Subscribers).toEqual([{ SubscriptionType: 'SNS', Address: { Ref: expect.stringMatching(/^Alarms/) } }]);
});
