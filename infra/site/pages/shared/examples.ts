/** The examples of a page of text. */

import './copy.ts';

/** The service that serves this page, including the stage in its path, without a slash at the end. */
export const SERVICE = location.href.replace(/\/docs(\/\w+)?\/?([?#].*)?$/, '');

/** Makes the examples use this service, and gives each a button that copies it. */
export function completeExamples(): void {
  for (const code of document.querySelectorAll('code[data-language]')) {
    const text = (code.textContent ?? '').replaceAll('http://localhost:3000', SERVICE);
    code.textContent = text;
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy' }).dataset.copy = text;
    code.after(button);
  }
}
