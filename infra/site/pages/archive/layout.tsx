import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Imprint, NodeProps } from '../../../archive-site/page-props.ts';
import { EventTable } from '../account/events.tsx';
import { explorerOf, Links, namesOf } from '../account/links.ts';
import { fullDay, moment } from '../dashboard/format.ts';

const policyOf = (inline: string) =>
  `default-src 'none'; style-src 'self'; script-src 'self'${inline}; connect-src 'self'; img-src data:; base-uri 'self'`;

interface PageProps {
  imprint: Imprint;
  title: string;
  /** For search engines. */
  about: string;
  /** From the page's folder to the export's. */
  up: '' | '../';
  /** The script in the page of missing files, and its hash as the policy names it. */
  script?: { text: string; hash: string };
  children: ComponentChildren;
}

/** The text of a page. All links are relative, so that it works below any address, and from a folder. */
export function pageText({
  imprint: { edition, contracts, addresses },
  title,
  about,
  up,
  script,
  children,
}: PageProps): string {
  const { network, block, missing } = edition;
  const links: Links = {
    address: (address) => {
      const name = address.toLowerCase();
      return addresses.has(name) ? `${up}address/${name}.html` : undefined;
    },
    node: (nodeID) => `${up}node/${nodeID}.html`,
    explorer: explorerOf(network),
    names: namesOf(contracts),
    canCopy: false,
  };
  return `<!doctype html>\n${renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policyOf(script ? ` '${script.hash}'` : '')} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content={about} />
        <title>{title}</title>
        {script && <script dangerouslySetInnerHTML={{ __html: script.text }} />}
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
          {missing.length > 0 && (
            <div class="note problem">
              This copy is incomplete:
              <ul>
                {missing.map(({ text }) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </div>
          )}
          <Links.Provider value={links}>{children}</Links.Provider>
        </main>
        <footer class="quiet">
          State of {fullDay(block.timestamp)}. Amounts are exact in the files; dates are UTC.
        </footer>
      </body>
    </html>,
  )}\n`;
}

const SHOWN_EVENTS = 20;

type HistoryProps = Pick<NodeProps, 'events' | 'files'> & { node?: string; children?: ComponentChildren };

/** The newest events of an address or a node, and all of its files; `children` come first. */
export function History({ events, files, node, children }: HistoryProps) {
  return (
    <>
      <h2>Its history</h2>
      {children}
      <EventTable caption="Newest events" entries={events.slice(0, SHOWN_EVENTS)} {...(node && { node })} />
      {events.length > SHOWN_EVENTS && <p>Older events are in the files below.</p>}
      <h2>All of its data</h2>
      <ul>
        {files.map(({ path, title }) => (
          <li key={path}>
            <a href={`../${path}`}>{title}</a> <small class="quiet">{path}</small>
          </li>
        ))}
      </ul>
    </>
  );
}

export function Search() {
  return (
    <form id="search">
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
    </form>
  );
}
