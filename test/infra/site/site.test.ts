import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { getAddress } from 'ethers';
import { ENDPOINTS } from '../../../functions/index.ts';
import { anchorOf } from '../../../infra/site/markdown.ts';
import { namesOf } from '../../../infra/site/pages/account/links.ts';
import { buildSite } from '../../../infra/site/site.ts';
import type { SiteFile } from '../../../infra/site/site-file.ts';
import { wellKnownFiles } from '../../../infra/site/well-known.ts';
import { contractsAround, NETWORKS, writePageOf } from '../../../lib/runtime/networks.ts';

const endpoints = Object.values(ENDPOINTS).map(({ path }) => path.slice(1));
let files: Map<string, SiteFile>;

beforeAll(async () => {
  files = new Map((await buildSite()).map((file) => [file.path, file]));
});

describe.each(['dashboard', 'docs', 'docs/contracts', 'docs/guide'])('/%s', (path) => {
  const html = () => (files.get(path) as SiteFile).body.toString();

  test('loads only files of the site, and links to those and to endpoints, by relative links', () => {
    const links = [...html().matchAll(/(<a )?(?:src|href)="([^"]+)"/g)];
    expect(links.length).toBeGreaterThan(3);
    for (const [, anchor, link = ''] of links) {
      if (/^(data:|#)/.test(link) || (anchor && link.startsWith('https://'))) continue;
      const target = new URL(link, `http://site/prod/${path}`).pathname.replace('/prod/', '');
      const found = files.has(target) || (anchor !== undefined && endpoints.includes(target));
      expect({ link, found }).toEqual({ link, found: true });
    }
  });

  test('has a policy that allows only its own files, and may not be framed', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html())?.[1];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe/);
    expect(files.get(path)?.headers['X-Frame-Options']).toBe('DENY');
  });
});

describe('the guide', () => {
  const guide = readFileSync('infra/site/pages/guide/guide.md', 'utf8');

  test('emphasises only words that are on the pages', () => {
    const text = guide.replace(/```[\s\S]*?```|`[^`]*`|\]\([^)]*\)/g, '');
    const labels = [...text.matchAll(/(?<=[\s(])_([^_\n]+)_/g)].map(([, label = '']) => label);
    expect(labels.length).toBeGreaterThan(4);
    const pages = globSync('infra/site/pages/**/*.{tsx,html}').map((path) => readFileSync(path, 'utf8'));
    expect(labels.filter((label) => !pages.some((page) => new RegExp(`[>"]\\s*${label}\\s*[<"]`).test(page)))).toEqual(
      [],
    );
  });

  test('has the contracts of mainnet with the names of the pages, and the explorer’s tabs that read and write them', () => {
    const { avalanche } = NETWORKS;
    const known: Record<string, string | undefined> = contractsAround(avalanche);
    const rows = [...guide.matchAll(/^\| (\w[\w ]*?)(?: \(`(\w+)`\))? +\| `(0x\w{40})` \| (.*?) +\|$/gm)];
    expect(rows.length).toBe(10);
    for (const [, title = '', name = title, address = '', links] of rows) {
      const write = writePageOf(avalanche, name, address);
      expect([getAddress(address), known[name] ?? address]).toEqual([address, address]);
      expect([namesOf([{ name, address }]).get(address), links]).toEqual([
        ...[title, `[read](${write?.replace('#write', '#read')}), [write](${write})`],
      ]);
    }
    expect(guide).toContain(avalanche.storage);
  });

  test('links only to its own sections and to other hosts: it is read in the repository, too', () => {
    const targets = [...guide.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    const anchors = [...guide.matchAll(/^##+ (.+)$/gm)].map(([, title = '']) => `#${anchorOf(title)}`);
    expect(targets.filter((target) => !target.startsWith('https://') && !anchors.includes(target))).toEqual([]);
  });
});

test('hashed files are cached forever, pages and the OpenAPI document for five minutes', () => {
  for (const { path, headers } of files.values()) {
    const isHashed = /-[A-Z0-9]{8}\.(js|css)$/.test(path);
    expect(path.startsWith('assets/')).toBe(isHashed);
    expect(headers['Cache-Control']).toBe(isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=300');
  }
});

describe('/.well-known', () => {
  const text = (all: readonly SiteFile[], name: string) =>
    all.find(({ path }) => path === `.well-known/${name}`)?.body.toString();

  test('api-catalog links to the description, the reference and the status, by relative links', () => {
    const [{ anchor, ...links }] = JSON.parse(text([...files.values()], 'api-catalog') as string).linkset;
    const pathOf = (link: string) => new URL(link, 'http://site/prod/.well-known/api-catalog').pathname;
    expect(pathOf(anchor)).toBe('/prod/');
    const targets = Object.entries<{ href: string }[]>(links).map(([rel, [link]]) => [rel, pathOf(link?.href ?? '')]);
    expect(targets).toEqual([
      ['service-desc', '/prod/openapi.json'],
      ['service-doc', '/prod/docs'],
      ['status', '/prod/health'],
    ]);
    expect(files.get('.well-known/api-catalog')?.headers['Content-Type']).toMatch(/^application\/linkset\+json/);
    expect(files.get('.well-known/api-catalog')?.headers.Link).toBe('<api-catalog>; rel="api-catalog"');
  });

  test('security.txt says whom to tell for less than a year, and is not there without a contact', () => {
    expect(files.has('.well-known/security.txt')).toBe(false);
    const found = text(wellKnownFiles('mailto:security@example.org', Date.UTC(2026, 10, 25)), 'security.txt');
    expect(found).toBe(
      'Contact: mailto:security@example.org\nExpires: 2027-11-10T00:00:00Z\nPreferred-Languages: en\n',
    );
  });
});

test('/llms.txt lists every endpoint, and links to what there is', () => {
  const text = (files.get('llms.txt') as SiteFile).body.toString();
  for (const { path, summary } of Object.values(ENDPOINTS)) expect(text).toContain(`\`GET ${path}\`: ${summary}`);
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link as string);
  expect(links.length).toBeGreaterThan(2);
  for (const link of links) {
    expect([link, files.has(link)]).toEqual([link, true]);
    // A model reads a file of the reference at once.
    if (link.startsWith('docs/') && link !== 'docs/guide.md') expect(files.get(link)?.body.length).toBeLessThan(45_000);
  }
});
