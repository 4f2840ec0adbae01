/** The form that sends a request of one endpoint, with the examples of the OpenAPI document as a beginning. Loaded when it is used. */

import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Document, Parameter } from '../../reference.ts';

/** What came back, or why nothing did. */
interface Outcome {
  line: string;
  headers: string;
  body: string;
}

/** Longer bodies are cut: to show them takes browsers seconds. */
const MAX_SHOWN = 200_000;

let openApi: Promise<Document> | undefined;

/** Puts the form in the place of the button that asks for it. `service` is a URL without a slash at the end. */
export async function openForm(button: HTMLButtonElement, service: string): Promise<void> {
  const path = button.dataset.path as string;
  openApi ??= fetch(`${service}/openapi.json`).then((response) => response.json());
  const { paths, components } = await openApi;
  const place = document.createElement('div');
  button.replaceWith(place);
  const parameters = paths[path]?.get.parameters ?? [];
  render(<Form url={service + path} parameters={parameters} schemas={components.schemas} />, place);
}

function Form({
  url,
  parameters,
  schemas,
}: {
  /** Of the endpoint, with the parameters of its path in braces. */
  url: string;
  parameters: readonly Parameter[];
  schemas: Document['components']['schemas'];
}) {
  const form = useRef<HTMLFormElement>(null);
  const [outcome, setOutcome] = useState<Outcome>();
  const send = async (event: Event) => {
    event.preventDefault();
    const values = new FormData(form.current as HTMLFormElement);
    setOutcome({ line: '…', headers: '', body: '' });
    setOutcome(await request(filled(url, parameters, (name) => String(values.get(name) ?? '').trim())));
  };
  // Screen readers and the keyboard go on where the button was.
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, button')?.focus(), []);
  return (
    <form ref={form} class="request" aria-label="Request" onSubmit={send}>
      {parameters.map((parameter) => (
        <div key={parameter.name}>
          <label htmlFor={`${url}?${parameter.name}`}>
            <code>{parameter.name}</code>
          </label>
          <Field id={`${url}?${parameter.name}`} parameter={parameter} values={choices(parameter, schemas)} />
        </div>
      ))}
      <button type="submit">Send</button>
      <output aria-live="polite">{outcome?.line}</output>
      {outcome?.body && (
        <>
          <details>
            <summary>Headers</summary>
            <pre>
              <code>{outcome.headers}</code>
            </pre>
          </details>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard can do only where it can go */}
          <section tabIndex={0} aria-label="Response body">
            <pre>
              <code>{outcome.body}</code>
            </pre>
          </section>
        </>
      )}
    </form>
  );
}

function Field({ id, parameter, values }: { id: string; parameter: Parameter; values: readonly string[] | undefined }) {
  const { name, required, schema, example } = parameter;
  const initial = String(example ?? '');
  if (values) {
    return (
      <select id={id} name={name} required={required}>
        {!required && <option value="" />}
        {values.map((value) => (
          <option key={value} value={value} selected={value === initial}>
            {value}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input id={id} name={name} required={required} defaultValue={initial} placeholder={String(schema.default ?? '')} />
  );
}

/** The values of a parameter that takes one of a few. */
function choices({ schema }: Parameter, schemas: Document['components']['schemas']): string[] | undefined {
  return schema.enum ?? schemas[schema.$ref?.split('/').at(-1) ?? '']?.enum;
}

/** The URL of a request with these values; those that are empty are not sent. */
function filled(url: string, parameters: readonly Parameter[], textOf: (name: string) => string): string {
  const query = new URLSearchParams();
  let path = url;
  for (const { name, in: place } of parameters) {
    const text = textOf(name);
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(text));
    else if (text) query.set(name, text);
  }
  return query.size > 0 ? `${path}?${String(query).replaceAll('%2C', ',')}` : path;
}

async function request(url: string): Promise<Outcome> {
  const started = performance.now();
  try {
    const response = await fetch(url);
    const text = await response.text();
    const ms = Math.round(performance.now() - started);
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    return { line: `${response.status} in ${ms} ms: ${url}`, headers, body: shown(text) };
  } catch {
    return { line: `There was no response: ${url}`, headers: '', body: '' };
  }
}

/** JSON with a line for each value; anything else as it is. */
function shown(text: string): string {
  let lines = text;
  try {
    lines = JSON.stringify(JSON.parse(text), null, 2);
  } catch {}
  return lines.length > MAX_SHOWN
    ? `${lines.slice(0, MAX_SHOWN)}\n… ${lines.length - MAX_SHOWN} more characters`
    : lines;
}
