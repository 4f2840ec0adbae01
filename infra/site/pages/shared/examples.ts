/** The examples of a page of text. */

/** The service that serves this page, including the stage in its path, without a slash at the end. */
export const SERVICE = location.href.replace(/\/docs(\/\w+)?\/?([?#].*)?$/, '');

/** Makes the examples use this service, and gives each a button that copies it. */
export function completeExamples(): void {
  for (const code of document.querySelectorAll('code[data-language]')) {
    code.textContent = (code.textContent ?? '').replaceAll('http://localhost:3000', SERVICE);
    // Browsers have no clipboard for pages that come by plain HTTP from another machine.
    if (navigator.clipboard) code.after(copyButton(code));
  }
}

/** Time in ms for which a button says that its example was copied. */
const COPIED_MS = 5_000;

function copyButton(code: Element): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent ?? '');
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, COPIED_MS);
  });
  return button;
}
