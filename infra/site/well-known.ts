/** What programs look for at fixed paths. */

import { isoDay } from '../../lib/values/iso-time.ts';
import { FOR_ALL_ORIGINS, fileOf, type SiteFile } from './site-file.ts';

const FOLDER = '.well-known';
/** RFC 9116 recommends less than a year. */
const EXPIRES_AFTER_MS = 350 * 86_400_000;

/** `contact` is a URI, such as `mailto:security@example.org`; without it, there is no security.txt. */
export function wellKnownFiles(contact: string | undefined, now = Date.now()): SiteFile[] {
  return [apiCatalog(), ...(contact ? [securityText(contact, now)] : [])];
}

/** RFC 9727, as a set of links (RFC 9264), relative to the file. */
function apiCatalog(): SiteFile {
  const linkset = [
    {
      anchor: '../',
      'service-desc': [{ href: '../openapi.json', type: 'application/json' }],
      'service-doc': [{ href: '../docs', type: 'text/html' }],
      status: [{ href: '../health', type: 'application/json' }],
    },
  ];
  return file(
    'api-catalog',
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    JSON.stringify({ linkset }),
  );
}

/** RFC 9116. */
function securityText(contact: string, now: number): SiteFile {
  const expires = `${isoDay((now + EXPIRES_AFTER_MS) / 1_000)}T00:00:00Z`;
  return file(
    'security.txt',
    'text/plain; charset=utf-8',
    `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`,
  );
}

function file(name: string, type: string, text: string): SiteFile {
  return fileOf(`${FOLDER}/${name}`, type, text, FOR_ALL_ORIGINS);
}
