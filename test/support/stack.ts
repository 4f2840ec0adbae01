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
export type Synthesized = Awaited<ReturnType<typeof synthesize>>;

const synthesized = new Map<string, ReturnType<typeof synthesizeNew>>();

/** The stack with these options, synthesized once for each set of them. */
export function synthesize(options: Record<string, string> = {}) {
  const key = JSON.stringify(options);
  const made = synthesized.get(key) ?? synthesizeNew(options);
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

async function synthesizeNew(options: Record<string, string>) {
  const json = Template.fromStack(newStack(newApp(), options, await siteFiles())).toJSON();
  const resources: Record<string, Json> = json.Resources;
  const ofType = (type: string) => Object.values(resources).filter(({ Type }) => Type === type);
  return {
    json,
    resources,
    ofType,
    types: Object.values(resources).map(({ Type }) => Type),
    /** The logical ID of the first resource of a type. */
    idOf: (type: string) => Object.keys(resources).find((id) => resources[id].Type === type),
    /** The values of an environment variable of the service's functions. */
    valuesOf: (variable: string): Set<string | undefined> =>
      new Set(
        ofType('AWS::Lambda::Function').flatMap(({ Properties: { Environment } }) =>
          Environment?.Variables.CACHE_TABLE ? Environment.Variables[variable] : [],
        ),
      ),
    /** The resource whose logical ID starts with this. */
    named: (id: string) => Object.entries(resources).find(([name]) => name.startsWith(id))?.[1],
    /** Each action that the policies of roles allow, with its resource and the logical IDs of the roles. */
    permissions: ofType('AWS::IAM::Policy').flatMap(({ Properties: { Roles, PolicyDocument } }) => {
      const roles: string[] = Roles.map(({ Ref }: Json) => Ref);
      const statements: { Action: string | string[]; Resource: Json }[] = PolicyDocument.Statement;
      return statements.flatMap(({ Action, Resource }) =>
        [Resource]
          .flat()
          .flatMap((resource: Json) => [Action].flat().map((action: string) => ({ action, resource, roles }))),
      );
    }),
  };
}
