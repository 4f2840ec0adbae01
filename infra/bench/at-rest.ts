/** The costs of a stage in a month without one request: those of its template, and those of its recorders. */

import { runPrice, type Use } from './prices.ts';

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation
type Json = any;

/** Resources that one run of a scheduled function uses if there is nothing new. */
export interface RunUse extends Use {
  /** The custom metrics that it writes, by name and dimensions. */
  metrics: ReadonlySet<string>;
}

/** Dollars a month for the resources of a template. Types that are not listed cost nothing unless they are used. */
const FIXED: Record<string, { item: string; dollars: (properties: Json) => number }> = {
  'AWS::WAFv2::WebACL': { item: 'firewall', dollars: ({ Rules }) => 5 + Rules.length },
  'AWS::CloudWatch::Alarm': { item: 'alarms', dollars: ({ Metrics }) => 0.1 * metricsIn(Metrics) },
  'AWS::CloudWatch::CompositeAlarm': { item: 'alarms', dollars: () => 0.5 },
  'AWS::SecretsManager::Secret': { item: 'secrets', dollars: () => SECRET },
};
const SECRET = 0.4;
const CUSTOM_METRIC = 0.3;
/** A gigabyte of history and ledger, stored and recoverable. */
const RECORDED = 0.25 + 0.2;

/** An alarm's price is for each metric in its expression. */
const metricsIn = (metrics: Json[] | undefined) => metrics?.filter(({ MetricStat }) => MetricStat).length ?? 1;

/** Runs of each schedule of a stage in 30 days. */
const RUNS: Record<string, number> = { 'rate(1 minute)': 43_200, 'cron(1 * * * ? *)': 720 };

/** Dollars a month by item, the total last. `uses` has an entry for each scheduled function, by its description. */
export function atRest(template: Json, uses: Readonly<Record<string, RunUse>>): Map<string, number> {
  const items = new Map<string, number>();
  const add = (item: string, dollars: number) => items.set(item, (items.get(item) ?? 0) + dollars);
  const resources: Json[] = Object.values(template.Resources);
  for (const { Type, Properties } of resources) {
    const fixed = FIXED[Type];
    if (fixed) add(fixed.item, fixed.dollars(Properties));
  }
  // The operator's own, which the template only names.
  const named = resources.flatMap(({ Properties }) => Properties?.Environment?.Variables?.SECRET_ID ?? []);
  if (named.length > 0) add('secrets', new Set(named).size * SECRET);
  const metrics = new Set<string>();
  for (const { Properties } of resources.filter(({ Type }) => Type === 'AWS::Events::Rule')) {
    for (const { Arn } of Properties.Targets) {
      // A reminder, which is sent once, to a topic.
      if (Arn.Ref) continue;
      const { Description, MemorySize } = template.Resources[Arn['Fn::GetAtt'][0]].Properties;
      const use = uses[Description];
      const runs = RUNS[Properties.ScheduleExpression];
      if (!use || !runs) throw new Error(`unknown: "${Description}", ${Properties.ScheduleExpression}`);
      add('recorders', runs * runPrice(use, MemorySize / 1_024));
      for (const metric of use.metrics) metrics.add(metric);
    }
  }
  const isSilent = resources.some(({ Properties }) => Properties?.Environment?.Variables?.POWERTOOLS_METRICS_DISABLED);
  if (!isSilent) add('custom metrics', metrics.size * CUSTOM_METRIC);
  add('recorded data', RECORDED);
  return items.set(
    'total',
    [...items.values()].reduce((sum, dollars) => sum + dollars),
  );
}
