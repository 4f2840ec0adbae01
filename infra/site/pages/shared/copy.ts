/** Buttons with `data-copy`, which copy that text. */

/** Time in ms for which the page says what was copied. */
const SHOWN_MS = 1_500;
/** Longer texts are not repeated. */
const LONGEST = 100;

let timer: ReturnType<typeof setTimeout>;

/** Announces a text to screen readers, and shows it for a moment. */
function announce(text: string): void {
  const status = document.querySelector('#announcement') as HTMLElement;
  status.textContent = text;
  status.dataset.shown = 'true';
  clearTimeout(timer);
  timer = setTimeout(() => delete status.dataset.shown, SHOWN_MS);
}

/** Copies a text, which only pages served over HTTPS or from localhost can do. */
async function copy(text: string): Promise<void> {
  const name = text.length > LONGEST ? 'the example' : text;
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied ${name}`);
  } catch {
    announce(`Could not copy ${name}: the browser does not allow it`);
  }
}

document.addEventListener('click', ({ target }) => {
  const text = (target as Element).closest<HTMLElement>('[data-copy]')?.dataset.copy;
  if (text !== undefined) void copy(text);
});
