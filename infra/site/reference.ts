/** The reference as a page: the OpenAPI document, written as HTML when the site is built. */

import { ENDPOINTS } from '../../functions/index.ts';
import { type Html, html, inline, paragraphs } from './html.ts';
import type { openApiDocument } from './openapi.ts';
import { fieldTable, parameterTable, resolved, type Schema, type Schemas, sharedSchemas } from './reference-fields.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string;
  schema: Schema;
  example?: unknown;
}

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: { status: number } }>;
}

interface Operation {
  tags: [string];
  summary: string;
  description: string;
  parameters: Parameter[];
  responses: Record<string, { $ref?: string; content?: Record<string, Media> }>;
}

interface Problem {
  description: string;
  content?: Record<string, Media>;
}

/** The parts of the document that the page is made from. */
export interface Document {
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
/** Replaced by the service's own URL, as soon as a script knows it. */
const SERVICE = 'http://localhost:3000';

/** What stands between the page's navigation and its end. */
export function referenceContent(openApi: ReturnType<typeof openApiDocument>): string {
  const document = openApi as unknown as Document;
  const { schemas } = document.components;
  const shared = sharedSchemas(
    schemas,
    Object.values(document.paths).map(({ get }) => jsonOf(get).schema),
  );
  const { info, tags, components } = document;
  return html`<div class="reference">
${contents(document)}
<main>
<h1>Reference</h1>
${paragraphs(info.description)}
<p>The same for programs is in <a href="openapi.json">openapi.json</a> (OpenAPI 3.1). How to begin is in the <a href="docs/guide">guide</a>.</p>
${tags.map((tag) => tagSection(tag, document, shared))}
${heading('Headers')}
<p>Of successful responses.</p>
<dl>${Object.entries(components.headers).map(
    ([name, { description }]) => html`<dt id="${name}"><code>${name}</code></dt><dd>${inline(description)}</dd>
`,
  )}</dl>
${heading('Errors')}
${paragraphs(schemas.Problem?.description ?? '')}
${fieldTable(schemas.Problem as Schema, 'Problem', schemas, shared)}
${Object.entries(components.responses)
  .filter(([, { content }]) => content)
  .map(errorSection)}
${heading('Objects')}
<p>Objects that several responses contain.</p>
${[...shared].map((name) => objectSection(name, schemas, shared))}
</main>
</div>`.text;
}

/** Paths and names of objects are anchors as they are; those of parts of the page are in lower case. */
function heading(name: string): Html {
  const id = name.toLowerCase();
  return html`<h2 id="${id}"><a href="#${id}">${name}</a></h2>`;
}

function contents({ tags, paths }: Document): Html {
  const others = ['Headers', 'Errors', 'Objects'];
  return html`<nav aria-label="Contents">
<search><label for="filter">Filter by path, field or word</label><input id="filter" type="search" autocomplete="off" spellcheck="false"><output></output></search>
<ul>
${tags.map(
  ({ name }) => html`<li><a href="#${name.toLowerCase()}">${name}</a><ul>
${operationsOf(name, paths).map(
  ([path, { summary }]) => html`<li><a href="#${path}"><code>${path}</code> ${summary}</a></li>
`,
)}</ul></li>
`,
)}${others.map(
  (name) => html`<li><a href="#${name.toLowerCase()}">${name}</a></li>
`,
)}</ul></nav>`;
}

function operationsOf(tag: string, paths: Document['paths']): [path: string, operation: Operation][] {
  return Object.entries(paths)
    .filter(([, { get }]) => get.tags[0] === tag)
    .map(([path, { get }]) => [path, get]);
}

function tagSection(
  { name, description }: Document['tags'][number],
  document: Document,
  shared: ReadonlySet<string>,
): Html {
  return html`${heading(name)}
${paragraphs(description)}
${operationsOf(name, document.paths).map(([path, operation]) => operationSection(path, operation, document, shared))}`;
}

function operationSection(
  path: string,
  operation: Operation,
  { components: { schemas, responses } }: Document,
  shared: ReadonlySet<string>,
): Html {
  const { summary, description, parameters } = operation;
  const { schema, example } = jsonOf(operation);
  const body = resolved(schema, schemas);
  const fields = body.properties
    ? fieldTable(body, path, schemas, shared)
    : html`<p>A JSON ${body.type}. ${inline(body.description ?? '')}</p>`;
  return html`<article aria-labelledby="${path}">
<h3 id="${path}"><a href="#${path}"><code>GET ${path}</code> ${summary}</a></h3>
${paragraphs(description)}
${parameters.length > 0 ? parameterTable(parameters, path, schemas) : ''}
<pre><code data-language="sh">curl '${SERVICE}${REQUESTS.get(path)}'</code></pre>
<button type="button" data-path="${path}" disabled>Send a request</button>
<h4>Response</h4>
${fields}
<details><summary>Example</summary><pre><code>${JSON.stringify(example, null, 2)}</code></pre></details>
<p>Errors: ${errorsOf(operation, responses)}</p>
</article>
`;
}

function jsonOf({ responses }: Operation): Media {
  return responses[200]?.content?.['application/json'] as Media;
}

/** The codes of an operation's errors, each with a link to where it is described. */
function errorsOf({ responses }: Operation, described: Document['components']['responses']): Html[] {
  const names = Object.values(responses).flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? []);
  const problems = names.filter((name) => described[name]?.content);
  return problems.map((name, index) => {
    const codes = Object.keys(examplesOf(described[name] as Problem)).join(', ');
    return html`${index > 0 ? ', ' : ''}<a href="#${name}"><code>${codes}</code></a>`;
  });
}

function examplesOf({ content }: Problem): NonNullable<Media['examples']> {
  return content?.['application/problem+json']?.examples ?? {};
}

function errorSection([name, problem]: [string, Problem]): Html {
  const examples = Object.values(examplesOf(problem)).map(({ value }) => value);
  return html`<article aria-labelledby="${name}">
<h3 id="${name}"><a href="#${name}">${examples[0]?.status} ${Object.keys(examplesOf(problem)).join(', ')}</a></h3>
${paragraphs(problem.description)}
${examples.map(
  (
    example,
  ) => html`<details><summary>Example</summary><pre><code>${JSON.stringify(example, null, 2)}</code></pre></details>
`,
)}</article>
`;
}

function objectSection(name: string, schemas: Schemas, shared: ReadonlySet<string>): Html {
  const schema = schemas[name] as Schema;
  return html`<article aria-labelledby="${name}"><h3 id="${name}"><a href="#${name}">${name}</a></h3>
${paragraphs(schema.description ?? '')}
${fieldTable(schema, name, schemas, shared)}</article>
`;
}
