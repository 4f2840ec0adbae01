/** The reference as Markdown, generated from the OpenAPI document. */

import { ENDPOINTS } from '../../functions/index.ts';
import { EVENT_TYPE } from '../../lib/api/bodies/activity-body.ts';
import { ERROR_STATUS } from '../../lib/runtime/errors.ts';
import { linePerField } from './example.ts';
import { anchorOf } from './markdown.ts';
import { openApiDocument } from './openapi.ts';
import { PROBLEM_EXAMPLE, PROBLEMS } from './openapi-problems.ts';
import { fieldRows, parameterRows, resolved, type Schema, type Schemas, sharedSchemas } from './reference-fields.ts';
import { createLists } from './reference-lists.ts';

interface Operation {
  tags: [string];
  summary: string;
  description: string;
  parameters: { name: string; required: boolean; description: string; schema: Schema }[];
  responses: { 200: { content: { 'application/json': { schema: Schema; example?: unknown } } } };
}

interface Document {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, { get: Operation }>;
  components: { schemas: Schemas; headers: Record<string, { description: string }> };
}

export function referenceText(): string {
  const document = openApiDocument() as unknown as Document;
  const { info, tags, paths, components } = document;
  const { schemas, headers } = components;
  const operations = Object.values(ENDPOINTS).map(({ path, exampleRequest, notFound = [] }) => {
    const { get } = paths[path] as { get: Operation };
    const body = get.responses[200].content['application/json'];
    return { title: `\`GET ${path}\` ${get.summary}`, get, exampleRequest, notFound, body };
  });
  const shared = sharedSchemas(
    schemas,
    operations.map(({ body }) => body.schema),
  );
  const rowsOf = (schema: Schema) => fieldRows(resolved(schema, schemas), schemas, shared);
  const objects = [...shared].map((name) => ({ title: `${name} object`, schema: schemas[name] as Schema }));
  const error = { title: 'Fields of an error', schema: schemas.Problem as Schema };
  const fields = createLists('Field', [
    ...[...objects, error].map(({ title, schema }) => [title, rowsOf(schema)] as const),
    ...operations.map(({ title, body }) => [title, rowsOf(body.schema)] as const),
  ]);
  const parameters = createLists(
    'Parameter',
    operations.map(({ title, get }) => [title, parameterRows(get.parameters, schemas)]),
  );
  const operationSection = ({ title, get, exampleRequest, notFound, body }: (typeof operations)[number]) =>
    section(
      title,
      get.description,
      parameters.of(title),
      ...samplesOf(`http://localhost:3000${exampleRequest}`),
      fields.of(title) || `A JSON ${resolved(body.schema, schemas).type}. ${body.schema.description ?? ''}`.trim(),
      fence('json', linePerField(body.example)),
      notFound.length > 0 && `404: ${notFound.map((code) => `[\`${code}\`](#errors)`).join(', ')}.`,
    );
  const blocks = [
    `# Reference\n\n${info.description}`,
    'Start with the [guide](docs/guide). Programs read [openapi.json](openapi.json) (OpenAPI 3.1).',
    ...tags.flatMap(({ name, description }) => [
      `## ${name}\n\n${description}`,
      ...operations.filter(({ get }) => get.tags[0] === name).map(operationSection),
    ]),
    '## Common',
    section('Common parameters', parameters.common),
    section('Common fields', fields.common),
    section('Headers', list(Object.entries(headers).map(([name, { description }]) => [`\`${name}\``, description]))),
    `## Errors\n\n${error.schema.description}`,
    list(PROBLEMS.map(([{ code }, when]) => [`${ERROR_STATUS[code]} \`${code}\``, when])),
    section(error.title, fields.of(error.title), fence('json', linePerField(PROBLEM_EXAMPLE))),
    `## Objects\n\n\`type\`: ${EVENT_TYPE} It is the object's name with a lower-case initial: \`ggpStaked\`.`,
    ...objects.map(({ title, schema }) => section(title, schema.description, fields.of(title))),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** The reference in files, one for each section: as a whole, it is too long for language models. */
export function referenceFiles(): { path: string; title: string; text: string }[] {
  const [, ...sections] = withoutAnchors(referenceText()).split(/^(?=## )/m);
  return sections.map((text) => {
    const title = text.slice('## '.length, text.indexOf('\n'));
    return { path: `docs/${anchorOf(title)}.md`, title, text };
  });
}

/** The reference without the links within its page. */
export function withoutAnchors(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\(#[^)]*\)/g, '$1');
}

function section(title: string, ...parts: (string | false | undefined)[]): string {
  return [`### ${title}`, ...parts.filter(Boolean)].join('\n\n');
}

/** A request in a terminal, in JavaScript and in Python. */
function samplesOf(url: string): string[] {
  return [
    fence('sh', `curl '${url}'`),
    fence('js', `const answer = await (await fetch('${url}')).json();`),
    fence('py', `import json, urllib.request\nanswer = json.load(urllib.request.urlopen('${url}'))`),
  ];
}

function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

function list(items: readonly (readonly [term: string, meaning: string])[]): string {
  return items.map(([term, meaning]) => `- ${term}: ${meaning}`).join('\n');
}
