import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Json, PROD, type Synthesized, synthesize } from '../../support/stack.ts';

/** Alarms, topics, budget and reminders. */

// Shared by most tests, because each synthesis takes a second or more.
let stack: Synthesized;

beforeAll(async () => {
  stack = await synthesize(PROD);
});

const alarmOf = (id: string, of = stack): Json => of.named(`${id}Alarm`).Properties;
/** The names of the topics to which actions publish. */
const topicsOf = (actions: Json[] = []) => actions.map(({ Ref }) => Ref.replace(/[0-9A-F]{8}$/, ''));

describe('alarms', () => {
  const guide = readFileSync('docs/alarms.md', 'utf8');
  /** The alarms in the guide's table, and whether they page or send an e-mail only. */
  const rows = [...guide.matchAll(/^\| \[(\w+)\].*\| (page|mail) +\|$/gm)].map(([, id, kind]) => [id, kind] as const);

  test('are all documented in the operator’s guide, each with a row and a section', () => {
    const headings = [...guide.matchAll(/^### (\w+)$/gm)].map(([, id]) => id as string);
    const names = Object.keys(stack.resources).flatMap((name) => /^(\w+)Alarm[0-9A-F]{8}$/.exec(name)?.[1] ?? []);
    expect(headings.toSorted()).toEqual(names.toSorted());
    expect(rows.map(([id]) => id)).toEqual(headings);
  });

  test.each(rows)('%s sends an e-mail when it is raised and when it is over, with a link to what to do', (id = '') => {
    const { AlarmActions, OKActions, InsufficientDataActions, AlarmDescription } = alarmOf(id);
    expect(topicsOf(AlarmActions)).toEqual(['Alarms']);
    expect(topicsOf(OKActions)).toEqual(['Alarms']);
    expect(InsufficientDataActions).toBeUndefined();
    expect(AlarmDescription).toMatch(new RegExp(`^.{30,} What to do: docs/alarms\\.md#${id.toLowerCase()}$`));
  });

  test('that page feed one alarm, so that an incident is one page, and its end none', () => {
    const [{ Properties }] = stack.ofType('AWS::CloudWatch::CompositeAlarm');
    expect(topicsOf(Properties.AlarmActions)).toEqual(['UrgentAlarms']);
    expect(Properties.OKActions).toBeUndefined();
    const rule = Properties.AlarmRule['Fn::Join'][1].map((part: Json) => part['Fn::GetAtt']?.[0] ?? part).join('');
    const paging = [...rule.matchAll(/ALARM\("(\w+)Alarm[0-9A-F]{8}"\)/g)].map(([, id]) => id);
    expect(rule).not.toMatch(/\bAND\b|\bNOT\b|INSUFFICIENT/);
    expect(paging).toEqual(rows.flatMap(([id, kind]) => (kind === 'page' ? id : [])));
  });

  test.each([
    '2026-11-23T22:01:00.000Z\t0f2a\tERROR\tInvoke Error\t{"errorType":"Error","errorMessage":"…","stack":[]}',
    '2026-11-23T22:06:00.000Z 0f2a Task timed out after 300.00 seconds',
    'RequestId: 0f2a Error: Runtime exited with error: signal: killed',
  ])('the query for failures in the operator’s guide finds what Lambda itself logs: %j', (line) => {
    const [, pattern = '^$'] = /^failures='.*@message like \/(.+)\/'$/m.exec(guide) ?? [];
    expect(line).toMatch(new RegExp(pattern));
  });

  test('of recorders, and no others, are also raised while there is no data', () => {
    const ifMissing = rows.filter(([id = '']) => alarmOf(id).TreatMissingData === 'breaching').map(([id]) => id);
    expect(ifMissing).toEqual(['RecorderMissing', 'LedgerLag']);
  });

  /** The value of an alarm's expression. */
  function evaluate(id: string, metrics: Record<string, number>): number {
    const { Expression } = alarmOf(id).Metrics.find((metric: Json) => metric.Expression);
    const [, condition, then] = /^IF\((.+), (.+), 0\)$/.exec(Expression) ?? [];
    const names = Object.keys(metrics);
    return new Function(...names, `return ${condition} ? ${then} : 0`)(...Object.values(metrics));
  }

  test.each([
    ['ServerErrors', { errors: 1, requests: 99 }, { errors: 5, requests: 99 }],
    ['EdgeErrors', { rate: 100, requests: 19 }, { rate: 6, requests: 400 }],
    ['ClientErrors', { rate: 100, requests: 99 }, { rate: 60, requests: 200 }],
  ])('%s counts a rate only of enough failures', (id, few, many) => {
    expect(evaluate(id, few)).toBe(0);
    expect(evaluate(id, many)).toBeGreaterThan(alarmOf(id).Threshold);
  });

  test('are raised for floods that would use up the month’s budget in two days, wherever they end', async () => {
    const spent = ({ Threshold, Period }: Json, dollars: number) => (Threshold * dollars * 48 * 3_600) / Period;
    const poor = await synthesize({ ...PROD, budget: '10' });
    for (const [id, dollars, namespace] of [
      ['ApiRequests', 5.2e-6, 'AWS/ApiGateway'],
      ['EdgeRequests', 1.7e-6, 'AWS/CloudFront'],
      ['EdgeBytes', 0.085e-9, 'AWS/CloudFront'],
    ] as const) {
      expect([alarmOf(id).Namespace, alarmOf(id).Statistic]).toEqual([namespace, 'Sum']);
      expect(spent(alarmOf(id), dollars)).toBeCloseTo(100, 1);
      expect(spent(alarmOf(id, poor), dollars)).toBeCloseTo(10, 1);
    }
    expect(Math.round(alarmOf('ApiRequests').Threshold / 1_000)).toBe(33);
  });
});

describe('without an address', () => {
  test('there are no alarms, topics, budget and custom metrics', async () => {
    const silent = await synthesize({ endsOn: '2026-12-31' });
    const types = new Set(Object.values(silent.resources).map(({ Type }) => Type));
    expect([...types].filter((type) => /CloudWatch|SNS|Budgets|MetricFilter/.test(type))).toEqual([]);
    const metrics = (of: Synthesized) =>
      of
        .ofType('AWS::Lambda::Function')
        .flatMap(({ Properties: { Environment } }) =>
          Environment?.Variables.CACHE_TABLE ? [Environment.Variables.POWERTOOLS_METRICS_DISABLED] : [],
        );
    expect(new Set(metrics(silent))).toEqual(new Set(['true']));
    expect(new Set(metrics(stack))).toEqual(new Set([undefined]));
    expect(Object.keys(silent.json.Outputs)).not.toContain('PageTopic');
  });
});

describe('topics', () => {
  test('send e-mails to the address; a pager’s is in no template', () => {
    const subscriptions = stack
      .ofType('AWS::SNS::Subscription')
      .map(({ Properties: { TopicArn, Protocol, Endpoint } }) => [...topicsOf([TopicArn]), Protocol, Endpoint]);
    expect(subscriptions).toEqual([['Alarms', 'email', PROD.alarmEmail]]);
    expect(Object.keys(stack.json.Outputs)).toEqual(expect.arrayContaining(['AlarmTopic', 'PageTopic']));
  });

  test.each([
    ['cloudwatch.amazonaws.com', ':cloudwatch:us-east-1:', ':alarm:*'],
    ['budgets.amazonaws.com', ':budgets::', ':*'],
  ])('accept messages of %s, for this account only', (service, ...source) => {
    const { Statement } = stack.ofType('AWS::SNS::TopicPolicy')[0].Properties.PolicyDocument;
    const { Action, Condition } = Statement.find(
      ({ Effect, Principal }: Json) => Effect === 'Allow' && Principal.Service === service,
    );
    expect(Action).toBe('sns:Publish');
    expect(Condition.StringEquals).toEqual({ 'aws:SourceAccount': { Ref: 'AWS::AccountId' } });
    const arn = Condition.ArnLike['aws:SourceArn']['Fn::Join'][1];
    expect(arn).toEqual(['arn:', { Ref: 'AWS::Partition' }, source[0], { Ref: 'AWS::AccountId' }, source[1]]);
  });
});

test('the monthly budget notifies before it is spent, and does not count credits, which end', async () => {
  const [{ Properties }] = stack.ofType('AWS::Budgets::Budget');
  expect(Properties.Budget.BudgetLimit).toEqual({ Amount: 100, Unit: 'USD' });
  expect(Properties.Budget.CostTypes).toEqual({ IncludeCredit: false, IncludeRefund: false });
  const notices = Properties.NotificationsWithSubscribers;
  expect(notices.map(({ Notification: { Threshold } }: Json) => Threshold)).toEqual([25, 50, 100, 100]);
  for (const { Subscribers } of notices) expect(topicsOf([Subscribers[0].Address])).toEqual(['Alarms']);
});

test('a service that ends reminds its operator 30 and 7 days before, by e-mail', async () => {
  const ending = await synthesize({ ...PROD, endsOn: '2026-12-31' });
  const reminders = ending
    .ofType('AWS::Events::Rule')
    .map(({ Properties }) => Properties)
    .filter(({ Description }) => /end of the service/.test(Description));
  expect(reminders.map(({ ScheduleExpression }) => ScheduleExpression)).toEqual([
    'cron(0 9 1 12 ? 2026)',
    'cron(0 9 24 12 ? 2026)',
  ]);
  const [, page = ''] = readFileSync('docs/operations.md', 'utf8').split('## After the end\n');
  expect(page).not.toBe('');
  for (const { Targets } of reminders) {
    expect(topicsOf([Targets[0].Arn])).toEqual(['Alarms']);
    expect(Targets[0].Input).toMatch(/ends on 2026-12-31, in \d+ days\. Follow docs\/operations\.md#after-the-end/);
  }
  const { Statement } = ending.named('AlarmsPolicy').Properties.PolicyDocument;
  expect(JSON.stringify(Statement)).toContain('events.amazonaws.com');
});
