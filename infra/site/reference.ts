/** The reference as Markdown, generated from the OpenAPI document. */

import { ENDPOINTS } from '../../functions/index.ts';
import { linePerField } from './example.ts';
import { anchorOf } from './markdown.ts';
import { openApiDocument } from './openapi.ts';
import {
  commonRows,
  fieldRows,
  objectTitle,
  parameterRows,
  resolved,
  type Schema,
  type Schemas,
  sharedSchemas,
  table,
} from './reference-fields.ts';

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: { status: number } }>;
}

interface Operation {
  tags: [string];
  summary: string;
  description: string;
  parameters: { name: string; required: boolean; description: string; schema: Schema }[];
  responses: Record<string, { $ref?: string; content?: Record<string, Media> }>;
}

interface Problem {
  description: string;
  content?: Record<string, Media>;
}

/** The parts of the OpenAPI document that the reference shows. */
interface Document {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, { get: Operation }>;
  components: {
    schemas: Schemas;
    headers: Record<string, { description: string }>;
    responses: Record<string, Problem>;
  };
}

const REQUESTS = new Map<string, string>(
  Object.values(ENDPOINTS).map(({ path, exampleRequest }) => [path, exampleRequest]),
);

export function referenceText(): string {
  const document = openApiDocument() as unknown as Document;
  const { info, tags, paths, components } = document;
  const { schemas, responses, headers } = components;
  const bodies = Object.values(paths).map(({ get }) => jsonOf(get).schema);
  const shared = sharedSchemas(schemas, bodies);
  const rowsOf = (schema: Schema) => fieldRows(resolved(schema, schemas), schemas, shared);
  const objects = [...shared].map((name) => rowsOf(schemas[name] as Schema));
  const commonFields = commonRows([...bodies.map(rowsOf), ...objects]);
  const commonParameters = commonRows(Object.values(paths).map(({ get }) => parameterRows(get.parameters, schemas)));

  const operationSection = ([path, { get }]: [string, { get: Operation }]) => {
    const { schema, example } = jsonOf(get);
    const fields = table('Field', rowsOf(schema), commonFields);
    return section(
      `\`GET ${path}\` ${get.summary}`,
      get.description,
      table('Parameter', parameterRows(get.parameters, schemas), commonParameters),
      fence('sh', `curl 'http://localhost:3000${REQUESTS.get(path)}'`),
      fields || `A JSON ${resolved(schema, schemas).type}. ${resolved(schema, schemas).description ?? ''}`,
      fence('json', linePerField(example)),
      errorsOf(get, responses),
    );
  };
  const blocks = [
    `# Reference\n\n${info.description}`,
    'The [guide](docs/guide) explains how to start. Programs read [openapi.json](openapi.json) (OpenAPI 3.1).',
    ...tags.flatMap(({ name, description }) => [
      `## ${name}\n\n${description}`,
      ...Object.entries(paths)
        .filter(([, { get }]) => get.tags[0] === name)
        .map(operationSection),
    ]),
    '## Common\n\nParameters, fields and headers of several endpoints.',
    section('Common parameters', table('Parameter', commonParameters)),
    section('Common fields', table('Field', commonFields)),
    section('Headers', list(headers)),
    `## Errors\n\n${schemas.Problem?.description}\n\n${table('Field', rowsOf(schemas.Problem as Schema))}`,
    ...Object.values(responses)
      .filter(({ content }) => content)
      .map(problemSection),
    '## Objects\n\nObjects that several responses contain.',
    ...[...shared].map((name) =>
      section(
        objectTitle(name),
        schemas[name]?.description,
        table('Field', rowsOf(schemas[name] as Schema), commonFields),
      ),
    ),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** The reference without the links within its page. */
export function withoutAnchors(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\(#[^)]*\)/g, '$1');
}

function section(title: string, ...parts: (string | undefined)[]): string {
  return [`### ${title}`, ...parts.filter(Boolean)].join('\n\n');
}

function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

function list(described: Record<string, { description: string }>): string {
  return Object.entries(described)
    .map(([name, { description }]) => `- \`${name}\`: ${description}`)
    .join('\n');
}

function jsonOf({ responses }: Operation): Media {
  return responses[200]?.content?.['application/json'] as Media;
}

/** The codes of an operation's 404s, each linked to its section. Any operation can return the other errors. */
function errorsOf({ responses }: Operation, problems: Record<string, Problem>): string {
  const problem = problems[responses[404]?.$ref?.split('/').at(-1) ?? ''];
  return problem ? `Error: [${problemTitle(problem)}](#${anchorOf(problemTitle(problem))}).` : '';
}

function problemSection(problem: Problem): string {
  const examples = Object.values(examplesOf(problem)).map(({ value }) => fence('json', linePerField(value)));
  return section(problemTitle(problem), problem.description, ...examples);
}

function problemTitle(problem: Problem): string {
  return `${Object.values(examplesOf(problem))[0]?.value.status} ${codesOf(problem)}`;
}

function codesOf(problem: Problem): string {
  return Object.keys(examplesOf(problem)).join(', ');
}

function examplesOf({ content }: Problem): NonNullable<Media['examples']> {
  return content?.['application/problem+json']?.examples ?? {};
}
