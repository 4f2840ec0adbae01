import type { Construct } from 'constructs';
import { ENDPOINTS } from '../../functions/index.ts';
import { OTHER_PATHS } from '../../lib/api/paths.ts';
import type { Route } from './api.ts';
import { pascalCase } from './names.ts';
import type { FunctionInputs } from './recorders.ts';
import { functionLog, functionRole, ServiceFunction } from './service-function.ts';

/** The sources of endpoints that are tables. */
const TABLES = ['history', 'ledger', 'flags'] as const;
type Table = (typeof TABLES)[number];

/** A function for each endpoint, and the paths that it serves. */
export function createEndpoints(scope: Construct, inputs: FunctionInputs): Route[] {
  // Endpoints share a log: its streams, and each line, name the function.
  const logGroup = functionLog(scope, 'EndpointsLogs');
  const roles = new Map<string, ReturnType<typeof functionRole>>();
  return Object.entries(ENDPOINTS).flatMap(([file, { path, summary, reads = {} }]) => {
    const read = TABLES.filter((table) => table in reads);
    // Endpoints that read the same sources share a role: one for each would be a quarter more resources.
    const id = pascalCase(['cache', ...read, 'role'].join('-'));
    const role = roles.get(id) ?? createRole(scope, id, read, inputs);
    roles.set(id, role);
    const fn = new ServiceFunction(scope, pascalCase(file), {
      source: `functions/${file}`,
      description: summary,
      environment: inputs.environment,
      role,
      logGroup,
    });
    // The root also answers all other paths, with a 404.
    return path === '/'
      ? [
          { path, fn },
          { path: OTHER_PATHS, fn },
        ]
      : { path, fn };
  });
}

function createRole(scope: Construct, id: string, reads: readonly Table[], { tables, secret }: FunctionInputs) {
  const role = functionRole(scope, id);
  tables.cache.grant(role, 'dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem');
  if (reads.includes('history')) tables.history.grant(role, 'dynamodb:Query');
  if (reads.includes('ledger')) tables.ledger.grant(role, 'dynamodb:GetItem', 'dynamodb:Query');
  if (reads.includes('flags')) tables.history.grant(role, 'dynamodb:GetItem');
  secret?.grantRead(role);
  return role;
}
