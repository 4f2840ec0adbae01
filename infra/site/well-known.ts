/** Files that browsers, crawlers and programs request at fixed paths. */

import { isoDay } from '../../lib/values/iso-time.ts';
import { FOR_ALL_ORIGINS, fileOf, type SiteFile } from './site-file.ts';

/** RFC 9727 requires it in answers to HEAD. CloudFront adds it, because S3 keeps no such header. */
export const CATALOG_LINK = { Link: '<api-catalog>; rel="api-catalog"' };
export const CATALOG_PATH = '.well-known/api-catalog';

const TEXT = 'text/plain; charset=utf-8';
/** Crawlers may read the pages, but not the answers for each address. */
const ROBOTS = 'User-agent: *\nAllow: /dashboard\nAllow: /docs\nDisallow: /accounts/\n';
/** RFC 9116 recommends less than a year. */
const EXPIRES_AFTER_MS = 350 * 86_400_000;

/** `contact` is a URI, such as `mailto:security@example.org`; without it, there is no security.txt. */
export function wellKnownFiles(contact: string | undefined, now = Date.now()): SiteFile[] {
  return [
    favicon(),
    fileOf('robots.txt', TEXT, ROBOTS),
    apiCatalog(),
    ...(contact ? [securityText(contact, now)] : []),
  ];
}

function favicon(): SiteFile {
  const bars = '<path d="M1 9h4v6H1zM6 5h4v10H6zM11 1h4v14h-4z"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#0b5fae">${bars}</svg>`;
  return fileOf('favicon.ico', 'image/svg+xml', svg);
}

/** RFC 9727, as a set of links (RFC 9264), relative to the file. */
function apiCatalog(): SiteFile {
  const links = {
    anchor: '../',
    'service-desc': [{ href: '../openapi.json', type: 'application/json' }],
    'service-doc': [{ href: '../docs', type: 'text/html' }],
    status: [{ href: '../health', type: 'application/json' }],
  };
  const type = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
  return fileOf(CATALOG_PATH, type, JSON.stringify({ linkset: [links] }), { ...FOR_ALL_ORIGINS, ...CATALOG_LINK });
}

/** RFC 9116. */
function securityText(contact: string, now: number): SiteFile {
  const expires = `${isoDay((now + EXPIRES_AFTER_MS) / 1_000)}T00:00:00Z`;
  const text = `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`;
  return fileOf('.well-known/security.txt', TEXT, text, FOR_ALL_ORIGINS);
}
