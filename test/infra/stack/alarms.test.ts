import { beforeAll, describe, expect, test } from '@jest/globals';
import { EVERYTHING, type Json, OTHER, PROD, type Synthesized, synthesize } from '../../support/stack.ts';

/** Alarms, topics, budget and reminders. */

let stack: Synthesized;
beforeAll(async () => {
  stack = await synthesize(PROD);
});

/** The alarms of single symptoms, by name. */
const alarms = (): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(stack.resources).flatMap(([name, { Properties }]) => {
      const [, id] = /^(\w+)Alarm[0-9A-F]{8}$/.exec(name) ?? [];
      return id ? [[id, Properties]] : [];
    }),
  );
/** The names of the topics to which actions publish. */
const topicsOf = (actions: Json[] = []) => actions.map(({ Ref }) => Ref.replace(/[0-9A-F]{8}$/, ''));

describe('alarms', () => {
  test('mail their runbook when they are raised, and when they are over', () => {
    expect(Object.keys(alarms()).length).toBeGreaterThan(10);
    for (const { AlarmActions, OKActions, AlarmDescription } of Object.values(alarms())) {
      expect([topicsOf(AlarmActions), topicsOf(OKActions)]).toEqual([['Alarms'], ['Alarms']]);
      // CloudWatch's limit is 1,024 characters.
      expect(AlarmDescription).toMatch(/^[ -~]{30,}\nFirst: (aws|curl) [ -~]+\n[ -~]{30,}$/);
      expect(AlarmDescription.length).toBeLessThanOrEqual(1_024);
    }
  });

  test('that page are two: a long loss of data silences no outage, and no page mixes minutes with hours', () => {
    const periodOf = ({ Period, Metrics }: Json) =>
      Period ?? Metrics.find(({ MetricStat }: Json) => MetricStat).MetricStat.Period;
    const pages = stack.ofType('AWS::CloudWatch::CompositeAlarm').map(({ Properties }) => {
      expect(topicsOf(Properties.AlarmActions)).toEqual(['UrgentAlarms']);
      expect(Properties.OKActions).toBeUndefined();
      const rule = JSON.stringify(Properties.AlarmRule);
      expect(rule).not.toMatch(/\bAND\b|\bNOT\b|INSUFFICIENT/);
      const ids = [...rule.matchAll(/"(\w+)Alarm[0-9A-F]{8}"/g)].map(([, id = '']) => id);
      return [ids, [...new Set(ids.map((id) => periodOf(alarms()[id])))]];
    });
    expect(pages).toEqual([
      [['EdgeErrors', 'NothingAnswers'], [300]],
      [['RecorderMissing', 'LedgerMismatch'], [3_600]],
    ]);
  });

  test('of recorders, and no others, are also raised while there is no data', () => {
    const ifMissing = Object.entries(alarms()).filter(([, alarm]) => alarm.TreatMissingData === 'breaching');
    expect(ifMissing.map(([id]) => id)).toEqual(['RecorderMissing', 'LedgerLag']);
  });

  /** The value of an alarm's expression. */
  function evaluate(id: string, metrics: Record<string, number>): number {
    const { Expression } = alarms()[id].Metrics.find((metric: Json) => metric.Expression);
    const ternary = Expression.replace(/^IF\((.+), (.+), 0\)$/, '($1 ? $2 : 0)');
    const expression = ternary.replaceAll(/FILL\((\w+), 0\)/g, '$1');
    return new Function(...Object.keys(metrics), `return ${expression}`)(...Object.values(metrics));
  }

  test.each([
    ['EdgeErrors', { rate: 100, requests: 19 }, { rate: 6, requests: 400 }],
    ['ClientErrors', { rate: 100, requests: 99 }, { rate: 60, requests: 200 }],
  ])('%s counts a rate only of enough failures', (id, few, many) => {
    expect(evaluate(id, few)).toBe(0);
    expect(evaluate(id, many)).toBeGreaterThan(alarms()[id].Threshold);
  });

  test('Spending is raised for what would use up the month’s budget in two days, by requests, bytes, or both', () => {
    expect(alarms().Spending.Threshold * 12 * 48).toBeCloseTo(100, 9);
    // 30 million API requests, each a miss, are 600 dollars and 51 of CloudFront, 600 GB are 51.
    const use = { api: 30e6, requests: 30e6, bytes: 600e9 };
    expect(evaluate('Spending', use)).toBeCloseTo(600 + 51 + 51, 9);
    // Without a budget's alarm, 84 requests a second of new addresses cost 150 dollars a day and more.
    const fiveMinutes = { api: 84 * 300, requests: 84 * 300, bytes: 0 };
    expect(evaluate('Spending', fiveMinutes)).toBeGreaterThan(alarms().Spending.Threshold);
  });
});

test('without an address there are no alarms, topics, budget and custom metrics', async () => {
  const silent = await synthesize();
  const types = silent.types.filter((type) => /CloudWatch|SNS|Budgets|MetricFilter/.test(type));
  expect(types).toEqual([]);
  expect(silent.valuesOf('POWERTOOLS_METRICS_DISABLED')).toEqual(new Set(['true']));
  expect(stack.valuesOf('POWERTOOLS_METRICS_DISABLED')).toEqual(new Set([undefined]));
});

test('topics send e-mails to the address, and accept messages of this account only; reminders without a condition', async () => {
  const ending = await synthesize(EVERYTHING);
  const subscriptions = ending.ofType('AWS::SNS::Subscription').map(({ Properties }) => Properties);
  expect(subscriptions).toMatchObject([{ Protocol: 'email', Endpoint: PROD.alarmEmail }]);
  const conditionsOf = (id: string) =>
    ending.named(id).Properties.PolicyDocument.Statement.flatMap(({ Effect, Principal, Action, Condition }: Json) => {
      if (Effect !== 'Allow') return [];
      expect(Action).toBe('sns:Publish');
      return [[Principal.Service.replace('.amazonaws.com', ''), Condition]];
    });
  const from = (source: string) => ({
    StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
    ArnLike: { 'aws:SourceArn': { 'Fn::Join': ['', expect.arrayContaining([source])] } },
  });
  const cloudwatch = ['cloudwatch', from(':alarm:*')];
  expect(conditionsOf('UrgentAlarmsPolicy')).toEqual([cloudwatch]);
  // EventBridge's messages to a topic satisfy no condition: with one, AWS drops them, and no emulator does.
  expect(conditionsOf('AlarmsPolicy')).toEqual([cloudwatch, ['budgets', from(':budgets::')], ['events', undefined]]);
});

test('a service that ends reminds its operator 30 and 7 days before, and the day after; not in the past', async () => {
  const reminders = async (options: Record<string, string>) =>
    (await synthesize(options))
      .ofType('AWS::Events::Rule')
      .flatMap(({ Properties }) => (/end of the service/.test(Properties.Description) ? Properties : []));
  const rules = await reminders(EVERYTHING);
  const days = ['1 12 ? 2099', '24 12 ? 2099', '1 1 ? 2100'];
  expect(rules.map(({ ScheduleExpression }) => ScheduleExpression)).toEqual(days.map((day) => `cron(0 9 ${day})`));
  for (const { Targets } of rules) {
    expect(topicsOf([Targets[0].Arn])).toEqual(['Alarms']);
    expect(Targets[0].RoleArn).toBeUndefined();
    expect(Targets[0].Input).toMatch(/ends on 2099-12-31\. .*docs\/operations\.md#end/);
  }
  expect(await reminders(OTHER)).toEqual([]);
});
