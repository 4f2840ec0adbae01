import { Template } from 'aws-cdk-lib/assertions';
import { buildSite } from '../../infra/site/site.ts';
import type { SiteFile } from '../../infra/site/site-file.ts';
import { newApp, newStack, PROD } from '../../infra/stack/template.ts';

export { PROD };

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
  types: string[];
  /** The values of an environment variable of the service's functions. */
  valuesOf(variable: string): Set<string | undefined>;
  /** The resource whose logical ID starts with this. */
  named(id: string): Json;
  /** Each action that the policies of roles allow, with its resource and the logical IDs of the roles. */
  permissions: { action: string; resource: Json; roles: string[] }[];
}

const synthesized = new Map<string, Promise<Synthesized>>();

/** The stack with these options, synthesized once for each set of them. */
export function synthesize(context: Record<string, string> = {}): Promise<Synthesized> {
  const key = JSON.stringify(context);
  const made = synthesized.get(key) ?? siteFiles().then((site) => synthesizeWith(site, context));
  synthesized.set(key, made);
  return made;
}

/** Every option that a stage file can have. */
export const EVERYTHING = {
  ...PROD,
  network: 'fuji',
  secret: 'staking-data/prod',
  historyTable: 'history-of-tuesday',
  ledgerTable: 'StakingData-prod-LedgerTable38A58B60-1ABC',
  budget: '10',
  endsOn: '2099-12-31',
  securityContact: 'mailto:security@example.org',
  domain: 'api.example.org',
  certificate: 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
};

/** Another stage, whose last day is over. */
export const OTHER = {
  ...PROD,
  stage: 'blue',
  endsOn: '2020-12-31',
  secret: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:staking-data/blue-a1b2c3',
};

/** The actions that the role of the function with this description allows, as `table:Action`. */
export function allowed(description: string, { ofType, permissions }: Synthesized): string[] {
  const { Role } = ofType('AWS::Lambda::Function').find(
    ({ Properties }) => Properties.Description === description,
  ).Properties;
  const own = permissions.filter(({ roles }) => roles.includes(Role['Fn::GetAtt'][0]));
  const tableOf = (resource: Json) => /(Cache|History|Ledger)Table/.exec(JSON.stringify(resource))?.[1] ?? '';
  return [
    ...new Set(own.map(({ action, resource }) => action.replace('dynamodb:', `${tableOf(resource).toLowerCase()}:`))),
  ].sort();
}

/** The stack with these files as its site, and these options. */
export function synthesizeWith(site: readonly SiteFile[], context: Record<string, string>): Synthesized {
  const template = Template.fromStack(newStack(newApp(), context, site));
  const json = template.toJSON();
  const resources: Record<string, Json> = json.Resources;
  const ofType = (type: string) => Object.values(resources).filter(({ Type }) => Type === type);
  return {
    template,
    json,
    resources,
    ofType,
    types: Object.values(resources).map(({ Type }) => Type),
    valuesOf: (variable) =>
      new Set(
        ofType('AWS::Lambda::Function').flatMap(({ Properties: { Environment } }) =>
          Environment?.Variables.CACHE_TABLE ? Environment.Variables[variable] : [],
        ),
      ),
    named: (id) => Object.entries(resources).find(([name]) => name.startsWith(id))?.[1],
    permissions: ofType('AWS::IAM::Policy').flatMap(({ Properties: { Roles, PolicyDocument } }) =>
      PolicyDocument.Statement.flatMap(({ Action, Resource }: Json) =>
        [Resource]
          .flat()
          .flatMap((resource: Json) =>
            [Action].flat().map((action: string) => ({ action, resource, roles: Roles.map(({ Ref }: Json) => Ref) })),
          ),
      ),
    ),
  };
}
