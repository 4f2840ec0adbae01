/** A deployed service: its answers, and their comparison with its OpenAPI document. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

// biome-ignore lint/suspicious/noExplicitAny: unvalidated JSON
export type Json = any;

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed body; undefined if it is empty or not JSON. */
  body: Json;
}

export interface Service {
  /** Its OpenAPI document. */
  document: Json;
  request(path: string, init?: RequestInit): Promise<Answer>;
  /** Number of answers so far that were refusals for want of capacity. */
  throttled(): number;
}

const TIMEOUT_MS = 30_000;

/** Opens the service at a base URL, which may contain a stage. Throws if it has no OpenAPI document. */
export async function openService(baseUrl: string): Promise<Service> {
  const base = baseUrl.replace(/\/+$/, '');
  let throttled = 0;
  const request = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(base + path, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS), ...init });
    const answer = { status: response.status, headers: response.headers, body: parse(await response.text()) };
    if (isThrottled(answer)) throttled++;
    return answer;
  };
  const { status, body: document } = await request('/openapi.json');
  if (status !== 200 || !document?.paths)
    throw new Error(`${base}/openapi.json is not an OpenAPI document (status ${status})`);
  return { document, request, throttled: () => throttled };
}

/** True if API Gateway or its firewall refused a request (429), or had no function to run it (its own 503). */
function isThrottled({ status, body }: Answer): boolean {
  return status === 429 || (status === 503 && /^The service is not available/.test(body?.detail));
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Differences between an answer and the OpenAPI document's description of its status. */
export function schemaFaults({ document }: Service, path: string, { status, headers, body }: Answer): string[] {
  const documented = document.paths[path].get.responses[status];
  if (!documented) return [`status ${status} is not documented`];
  const { content = {} } = documented.$ref ? at(document, documented.$ref) : documented;
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content-type';
  if (!content[type]) return [`${type}: not documented for status ${status}`];
  const validate = validatorOf(document, content[type].schema);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'body'} ${message}`);
}

const validators = new WeakMap<object, ValidateFunction>();

/** The validator of a schema in the document. Each is compiled once. */
function validatorOf({ components }: Json, schema: Json): ValidateFunction {
  const known =
    validators.get(schema) ??
    new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).compile({ ...schema, components });
  validators.set(schema, known);
  return known;
}

/** Resolves a reference such as `#/components/responses/NotFound`. */
function at(document: Json, reference: string): Json {
  return reference
    .slice(2)
    .split('/')
    .reduce((part, key) => part[key], document);
}

interface Parameter {
  name: string;
  in: 'path' | 'query';
  example?: unknown;
  schema: { pattern?: string };
}

/** An example request for an endpoint. `values` overrides the document's examples of path parameters. */
export function exampleOf({ document }: Service, path: string, values: Record<string, string> = {}): string {
  const parameters: Parameter[] = document.paths[path].get.parameters ?? [];
  const given = parameters.filter(({ example }) => example !== undefined);
  const query = given.filter((parameter) => parameter.in === 'query');
  const inPath = given.filter((parameter) => parameter.in === 'path');
  const filled = inPath.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(values[name] ?? String(example))),
    path,
  );
  const search = query.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&');
  return filled + (search && `?${search}`);
}

/**
 * A value for a path parameter, from the first item of a list: the field with the parameter's name or, if there is
 * none, the first one that matches its pattern.
 */
export function listed({ document }: Service, path: string, list: Json): Record<string, string> | undefined {
  const parameter: Parameter | undefined = document.paths[path].get.parameters?.find(
    (one: Parameter) => one.in === 'path',
  );
  const items = Object.values<Json>(list ?? {}).find(Array.isArray) ?? [];
  const form = new RegExp(parameter?.schema.pattern ?? '(?!)');
  const texts = Object.entries(items[0] ?? {}).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  const [, value] = texts.find(([name]) => name === parameter?.name) ?? texts.find(([, text]) => form.test(text)) ?? [];
  return parameter && value ? { [parameter.name]: value } : undefined;
}
