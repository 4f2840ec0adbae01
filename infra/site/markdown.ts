/** HTML of the Markdown that the guide and the reference are written in. */

import { Marked, type Tokens } from 'marked';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const marked = new Marked({
  renderer: {
    heading({ depth, tokens, text }: Tokens.Heading) {
      const inner = this.parser.parseInline(tokens);
      if (depth === 1) return `<h1>${inner}</h1>\n`;
      // A heading within a summary opens its section, so only the others link to themselves.
      const linked = depth === 2 ? `<a href="#${anchorOf(text)}">${inner}</a>` : inner;
      return `<h${depth} id="${anchorOf(text)}">${linked}</h${depth}>\n`;
    },
    code({ text, lang = '' }: Tokens.Code) {
      const [language] = lang.split(' ');
      return `<pre><code${language ? ` data-language="${language}"` : ''}>${escaped(text)}</code></pre>\n`;
    },
    html: ({ text }) => escaped(text),
  },
});

/** The anchor of a heading. An endpoint's is its path. */
export function anchorOf(heading: string): string {
  const [, path] = /`GET (.+)`/.exec(heading) ?? [];
  return path ?? heading.toLowerCase().replace(/\W+/g, '-');
}

/** The main part of a page, with a list of its sections. */
export function htmlOf(markdown: string): string {
  const start = markdown.search(/^##+ /m);
  const titles = markdown.matchAll(/^## (.+)/gm);
  const links = [...titles].map(([, title = '']) => `<li><a href="#${anchorOf(title)}">${title}</a></li>`);
  const contents = `<nav aria-label="On this page"><ul>\n${links.join('\n')}\n</ul></nav>\n`;
  return `<main>\n${render(markdown.slice(0, start))}${contents}${sectionsHtml(markdown.slice(start))}</main>`;
}

function sectionOf(section: string): string {
  if (!section.startsWith('### ')) return render(section);
  const [heading = '', ...lines] = section.split('\n');
  return `<details><summary>${render(heading).trim()}</summary>\n${render(lines.join('\n'))}</details>\n`;
}

function render(markdown: string): string {
  return marked.parse(markdown, { async: false }).replaceAll('<table>', '<table class="rows">');
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}

/** Sections without a list of them. Third-level sections can be folded. */
export function sectionsHtml(markdown: string): string {
  return markdown
    .split(/^(?=##+ )/m)
    .map(sectionOf)
    .join('');
}
