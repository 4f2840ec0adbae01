/** Numbers as people read them. Short forms are for looking; the exact text is beside them, to hover over or to copy. */

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });
const SIGNIFICANT = new Intl.NumberFormat('en', { maximumSignificantDigits: 5 });
const AXIS_DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const MOMENT = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
  timeZone: 'UTC',
});

const UNKNOWN = '–';

/** A quantity in a few digits: 1.74M, 50,759, 144.09, 0.018293. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return COMPACT.format(value);
  if (size >= 1e4) return WHOLE.format(value);
  return size >= 100 || size === 0 ? NUMBER.format(value) : SIGNIFICANT.format(value);
}

export function percent(value: number): string {
  return `${NUMBER.format(value)} %`;
}

/** For an axis: `21 Nov`, without the year. */
export function axisDay(time: number): string {
  return AXIS_DAY.format(time * 1_000);
}

export function day(time: number): string {
  return DAY.format(time * 1_000);
}

export function moment(time: number): string {
  return `${MOMENT.format(time * 1_000)} UTC`;
}

/** `3 min`, `5 h`, `12 days`. */
export function duration(seconds: number): string {
  const [size, unit] = (
    [
      [86_400, 'days'],
      [3_600, 'h'],
      [60, 'min'],
      [1, 's'],
    ] as const
  ).find(([unitSeconds]) => seconds >= 2 * unitSeconds || unitSeconds === 1) ?? [1, 's'];
  return `${Math.round(seconds / size)} ${unit}`;
}

/** An element with its texts and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/**
 * A quantity to look at, to hover over and to copy with a click: `exact` is what the API said, a decimal text or a number. An
 * unknown one is a dash, never a zero.
 */
export function amount(exact: string | number | undefined, unit = ''): HTMLElement {
  if (exact === undefined) return element('span', { title: 'Unknown at the moment' }, UNKNOWN);
  const value = Number(exact);
  const shown = unit === '%' ? percent(value) : unit === 'USD' ? `$${short(value)}` : `${short(value)} ${unit}`.trim();
  const full = `${exact} ${unit}`.trim();
  const button = element('button', { type: 'button', class: 'amount', title: `${full} (click to copy)` }, shown);
  button.addEventListener('click', async () => {
    await navigator.clipboard?.writeText(String(exact));
    announce(`Copied ${full}`);
  });
  return button;
}

/** Tells people who do not see the page, and for a moment those who do. */
export function announce(text: string): void {
  const status = document.querySelector('#announcement') as HTMLElement;
  status.textContent = text;
  status.dataset.shown = 'true';
  setTimeout(() => {
    delete status.dataset.shown;
  }, 1_500);
}

/** A list of names and values. */
export function facts(entries: readonly (readonly [string, Node | string])[]): HTMLElement {
  const list = element('dl', { class: 'facts' });
  for (const [name, value] of entries)
    list.append(element('div', {}, element('dt', {}, name), element('dd', {}, value)));
  return list;
}

/** A table with a caption that only screen readers need. */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly (Node | string)[])[],
): HTMLElement {
  const head = element('tr', {}, ...columns.map((column) => element('th', { scope: 'col' }, column)));
  const body = rows.map((cells) => element('tr', {}, ...cells.map((cell) => element('td', {}, cell))));
  const made = element('table', {}, element('caption', { class: 'unseen' }, caption), element('thead', {}, head));
  made.append(element('tbody', {}, ...body));
  return element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, made);
}

/** An address or a node id, shortened in the middle. */
export function name(id: string): HTMLElement {
  return element('code', { title: id }, id.length > 20 ? `${id.slice(0, 10)}…${id.slice(-5)}` : id);
}
