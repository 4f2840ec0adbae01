import { day, moment, withUnit } from '../site/pages/dashboard/format.ts';
import { Html, html } from './html.ts';

/** Facts about the archive that every page states. */
export interface Edition {
  network: string;
  block: { number: number; timestamp: number };
  /** Missing parts of the archive, in words; undefined if nothing is missing. */
  missing: string | undefined;
}

export interface Page {
  title: string;
  /** For search engines. */
  about: string;
  /** From the page's folder to the archive's: `../`. */
  up: '' | '../';
  content: Html;
}

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'";
const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 8 8%22%3E%3Ccircle cx=%224%22 cy=%224%22 r=%224%22 fill=%22%230b5fae%22/%3E%3C/svg%3E';

/** The text of a page. All links are relative, so that it works below any address, and from a folder. */
export function pageText({ network, block, missing }: Edition, { title, about, up, content }: Page): string {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${about}">
<title>${title}</title>
<link rel="icon" href="${new Html(ICON)}">
<link rel="stylesheet" href="${up}site.css">
</head>
<body>
<header>
<a href="${up}index.html">GoGoPool / Hypha on Avalanche</a>
<span>Archive of ${day(block.timestamp)}</span>
</header>
<main>
<h1>${title}</h1>
<p class="notice"><strong>This is a copy</strong> of how things were on ${moment(block.timestamp)}, at block ${block.number}${
    network === 'avalanche' ? '' : ` of the network ${network}`
  }. Ask the contracts before you send a transaction.</p>
${missing && html`<p class="notice bad"><strong>This archive is incomplete</strong>: ${missing}.</p>`}
${content}
</main>
<footer>
<a href="${up}index.html#files">All data</a> <a href="${up}index.html#method">Method</a> <a href="${up}index.html#verify">Verify</a>
</footer>
</body>
</html>
`;
  return text;
}

export type Cell = Html | string | number | undefined;

/** A table that scrolls within itself on narrow screens. Rows may end before the header does. */
export function table(caption: string, header: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${header.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([
      first,
      ...cells
    ]) => html`<tr><th scope="row">${first}</th>${header.slice(1).map((_, place) => html`<td>${cells[place]}</td>`)}</tr>
`,
  )}</tbody>
</table></div>`;
}

/** An amount in a few digits and, if these are not all, exactly. */
export function amount(value: string, token: string): Html {
  const rounded = withUnit(Number(value), token);
  const isExact = rounded.replaceAll(',', '') === `${value} ${token}`;
  return html`${rounded}${isExact ? undefined : html`<small>${value}</small>`}`;
}

/** A file with an answer of the API about the page's subject. */
export interface AnswerFile {
  /** In the archive: `api/accounts/0x….json`. */
  path: string;
  title: string;
}

export function answerList(answers: readonly AnswerFile[]): Html {
  return html`<ul class="files">${answers.map(
    ({ path, title }) => html`<li>${link(`../${path}`, title)}<small>${path}</small></li>
`,
  )}</ul>`;
}

export function link(href: string, text: string): Html {
  return html`<a href="${href}">${text}</a>`;
}
