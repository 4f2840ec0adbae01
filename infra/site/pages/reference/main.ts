/** Filter, links to folded sections, and the "Send" forms. The text is complete without this script. */

import '../shared/style.css';
import { completeExamples, SERVICE } from '../shared/examples.ts';
import { startFilter } from './filter.ts';
import { addForm } from './request.ts';

completeExamples();
startFilter();

for (const section of document.querySelectorAll('details')) {
  const { id } = section.querySelector('h3') as HTMLElement;
  section.querySelector('summary')?.addEventListener('click', () => history.replaceState(null, '', `#${id}`));
  if (id.startsWith('/')) addForm(section, SERVICE);
}

function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  target?.closest('details')?.setAttribute('open', '');
  target?.scrollIntoView();
}

addEventListener('hashchange', openTarget);
openTarget();
