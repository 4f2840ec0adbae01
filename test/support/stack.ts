import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type AppProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { buildSite, type SiteFile } from '../../infra/site/site.ts';
import { SOURCES } from '../../infra/stack/bundling.ts';
import { BUNDLES } from '../../infra/stack/service-function.ts';
import { EDGE_REGION, readSettings } from '../../infra/stack/settings.ts';
import { StakingDataStack } from '../../infra/stack/stack.ts';

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation
export type Json = any;

let site: Promise<SiteFile[]> | undefined;

/** The files of the site, built once. */
export function siteFiles(): Promise<SiteFile[]> {
  site ??= buildSite();
  return site;
}

/** A template, with shortcuts for reading it. */
export interface Synthesized {
  template: Template;
  json: Json;
  resources: Record<string, Json>;
  ofType(type: string): Json[];
  /** The resource whose logical ID starts with this. */
  named(id: string): Json;
}

const synthesized = new Map<string, Promise<Synthesized>>();

let bundles: string | undefined;

/** A folder with an empty bundle for each function: real ones would take seconds. */
function emptyBundles(): string {
  if (bundles) return bundles;
  bundles = mkdtempSync(join(tmpdir(), 'empty-bundles-'));
  for (const source of SOURCES) {
    mkdirSync(join(bundles, source), { recursive: true });
    writeFileSync(join(bundles, source, 'index.js'), '');
  }
  return bundles;
}

/** An app with the feature flags of cdk.json, which CDK's CLI would pass, and with empty bundles. */
export function newApp(props: AppProps = {}): App {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  return new App({
    context: { ...context, [BUNDLES]: emptyBundles() },
    // `npm run synth` and cfn-lint validate the template; here that would take a third of each test's time.
    builtinCloudFormationValidation: false,
    ...props,
  });
}

/** The stack with these options, without bundles. Synthesized once for each set of options. */
export function synthesize(context: Record<string, string> = {}): Promise<Synthesized> {
  const key = JSON.stringify(context);
  const made = synthesized.get(key) ?? siteFiles().then((site) => synthesizeWith(site, context));
  synthesized.set(key, made);
  return made;
}

/** The stack with these files as its site, and these options. */
export function synthesizeWith(site: readonly SiteFile[], context: Record<string, string>): Synthesized {
  const app = newApp();
  const settings = readSettings(context);
  const props = settings.edge ? { env: { region: EDGE_REGION } } : {};
  const template = Template.fromStack(new StakingDataStack(app, 'Test', settings, site, props));
  const json = template.toJSON();
  const resources: Record<string, Json> = json.Resources;
  return {
    template,
    json,
    resources,
    ofType: (type) => Object.values(resources).filter(({ Type }) => Type === type),
    named: (id) => Object.entries(resources).find(([name]) => name.startsWith(id))?.[1],
  };
}
