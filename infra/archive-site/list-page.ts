import { html } from './html.ts';
import { link, type Page } from './layout.ts';

/** A list of pages of one kind, for who has no JavaScript. */
export function listPage(title: string, folder: string, names: readonly string[]): Page {
  return {
    title,
    about: `${title} in the archive of GoGoPool / Hypha on Avalanche.`,
    up: '../',
    content: html`<p>${names.length} in all.</p>
<ul class="files">${names.map(
      (name) => html`<li>${link(`../${folder}/${name}.html`, name)}</li>
`,
    )}</ul>`,
  };
}
