import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Imprint } from '../../../archive-site/page-props.ts';
import type { PersonFile } from '../../../archive-site/people.ts';
import { explorerOf, Links, namesOf } from '../account/links.ts';
import { fullDay, moment } from '../dashboard/format.ts';

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'";

interface PageProps {
  imprint: Imprint;
  title: string;
  /** For search engines. */
  about: string;
  /** From the page's folder to the export's: `../`, or `/` for the page that is served at any path. */
  up: '' | '../' | '/';
  children: ComponentChildren;
}

/** The text of a page. All links are relative, so that it works below any address, and from a folder. */
export function pageText({ imprint: { edition, contracts }, title, about, up, children }: PageProps): string {
  const { network, block, missing } = edition;
  const links: Links = {
    address: (address) => `${up}address/${address.toLowerCase()}.html`,
    node: (nodeID) => `${up}node/${nodeID}.html`,
    explorer: explorerOf(network),
    names: namesOf(contracts),
    canCopy: false,
  };
  return `<!doctype html>\n${renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content={about} />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={`${up}site.css`} />
      </head>
      <body>
        <nav aria-label="Pages">
          <strong>GoGoPool / Hypha: archive</strong>
          <a href={`${up}index.html`}>Search</a>
          <a href={`${up}index.html#get-avax-back`}>Way out</a>
          <a href={`${up}index.html#files`}>Files</a>
        </nav>
        <main>
          <h1>{title}</h1>
          <p class="note">
            This is a copy of how things were on {moment(block.timestamp)}, at block {block.number}
            {network !== 'avalanche' && ` of the network ${network}`}. Ask the contracts before you send a transaction.
          </p>
          {missing.length > 0 && <p class="note problem">This copy is incomplete: {missing.join('; ')}.</p>}
          <Links.Provider value={links}>{children}</Links.Provider>
        </main>
        <footer>State of {fullDay(block.timestamp)}. Amounts are exact in the files; dates are UTC.</footer>
      </body>
    </html>,
  )}\n`;
}

/** The files of a page that is in a folder of the export. */
export function FileList({ files }: { files: readonly PersonFile[] }) {
  return (
    <ul>
      {files.map(({ path, title }) => (
        <li key={path}>
          <a href={`../${path}`}>{title}</a> <small class="quiet">{path}</small>
        </li>
      ))}
    </ul>
  );
}

export function Search({ up }: { up: string }) {
  return (
    <form id="search" data-up={up}>
      <label for="subject">Your address, or the node of a minipool</label>
      <div class="field">
        <input
          id="subject"
          name="subject"
          autocomplete="off"
          spellcheck={false}
          placeholder="0x… or NodeID-…"
          required
        />
        <button type="submit">Find</button>
      </div>
      <p id="found" role="status" />
      <script src={`${up}search.js`} defer />
    </form>
  );
}
