/** The text of the page is complete without this script, which filters it and makes it send requests. */

import '../shared/style.css';
import '../shared/nav.css';
import '../shared/text.css';
import './style.css';
import { completeExamples, SERVICE } from '../shared/examples.ts';
import { startFilter } from './filter.ts';

completeExamples();
startFilter();

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-path]')) {
  button.disabled = false;
  button.addEventListener('click', async () => {
    const { openForm } = await import('./request.tsx');
    await openForm(button, SERVICE);
  });
}
