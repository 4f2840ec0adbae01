/** Longer responses are cut, because showing them takes browsers seconds. */
const MAX_SHOWN = 200_000;

/** Adds a form that sends the section's example request, or an edited one, to `service`, a URL without a trailing slash. */
export function addForm(section: Element, service: string): void {
  const template = document.querySelector('template') as HTMLTemplateElement;
  const form = (template.content.cloneNode(true) as DocumentFragment).querySelector('form') as HTMLFormElement;
  const example = section.querySelector('[data-language=sh]') as HTMLElement;
  const [, url = ''] = /'(.+)'/.exec(example.textContent ?? '') ?? [];
  const input = form.querySelector('input') as HTMLInputElement;
  const output = form.querySelector('output') as HTMLOutputElement;
  const response = form.querySelector('section') as HTMLElement;
  input.value = url.slice(service.length);
  // Each is a landmark of its own.
  for (const place of [form, response]) place.ariaLabel += ` of ${input.value}`;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    output.textContent = '…';
    const { line, text } = await send(service + input.value);
    output.textContent = line;
    response.hidden = text === '';
    (response.querySelector('code') as HTMLElement).textContent = text;
  });
  example.parentElement?.after(form);
}

/** The status line, and the body and headers of the response. */
async function send(url: string): Promise<{ line: string; text: string }> {
  const started = performance.now();
  try {
    const response = await fetch(url);
    const body = indented(await response.text());
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    const ms = Math.round(performance.now() - started);
    const cut = body.length > MAX_SHOWN ? `\n… ${body.length - MAX_SHOWN} more characters` : '';
    return { line: `${response.status} in ${ms} ms`, text: `${body.slice(0, MAX_SHOWN)}${cut}\n\n${headers}` };
  } catch {
    return { line: `No response from ${url}`, text: '' };
  }
}

/** JSON with a line for each value. Other bodies stay as they are. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
