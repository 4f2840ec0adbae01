import type { Construct } from 'constructs';
import { ENDPOINTS } from '../../functions/index.ts';
import { OTHER_PATHS } from '../../lib/api/paths.ts';
import type { Route } from './api.ts';
import { pascalCase } from './names.ts';
import type { FunctionInputs } from './recorders.ts';
import { functionRole, ServiceFunction } from './service-function.ts';

/** A function for each endpoint, and the paths that it serves. */
export function createEndpoints(scope: Construct, inputs: FunctionInputs): Route[] {
  const roles = new Map<string, ReturnType<typeof functionRole>>();
  return Object.entries(ENDPOINTS).flatMap(([file, { path, summary, reads = [] }]) => {
    // Flags are an item of the history's table.
    const tables = [
      ...(reads.includes('history') || reads.includes('flags') ? ['history'] : []),
      ...(reads.includes('ledger') ? ['ledger'] : []),
    ];
    // Endpoints that read the same tables share a role: one for each would be a quarter more resources.
    const id = pascalCase(['cache', ...tables, 'role'].join('-'));
    const role = roles.get(id) ?? createRole(scope, id, tables, inputs);
    roles.set(id, role);
    const fn = new ServiceFunction(scope, pascalCase(file), {
      source: `functions/${file}`,
      description: summary,
      environment: inputs.environment,
      role,
      logGroup: inputs.logGroup,
    });
    // The root also answers all other paths, with a 404.
    return [path, ...(path === '/' ? [OTHER_PATHS] : [])].map((each) => ({ path: each, fn }));
  });
}

function createRole(scope: Construct, id: string, reads: readonly string[], { tables, secret }: FunctionInputs) {
  const role = functionRole(scope, id);
  tables.cache.grant(role, 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem');
  if (reads.includes('history')) tables.history.grant(role, 'dynamodb:GetItem', 'dynamodb:Query');
  if (reads.includes('ledger')) tables.ledger.grant(role, 'dynamodb:GetItem', 'dynamodb:Query');
  secret?.grantRead(role);
  return role;
}
