/** The addresses or the node that a visitor asks about, in typed texts and in the page's URL. */

/** One of an address, several addresses, and a node. */
export interface Subject {
  address?: string;
  addresses?: AddressList;
  node?: string;
}

/** The given addresses in their order, each once, and the given items that are no addresses. */
export interface AddressList {
  valid: readonly string[];
  wrong: readonly string[];
}

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const NODE = /^NodeID-[1-9A-HJ-NP-Za-km-z]{20,40}$/;

/**
 * The address or node in a text, which may be longer, such as the URL of an explorer, and have spaces or invisible characters in it;
 * or several addresses, if the text is a list of them. Undefined for any other text, so that a forged link cannot cause requests to
 * other paths of the API.
 */
export function subjectIn(text: string): Subject | undefined {
  const visible = text.replace(/\p{Cf}/gu, '');
  const addresses = addressesIn(visible);
  return addresses ? { addresses } : (onlySubjectIn(visible.replace(/\s/g, '')) ?? onlySubjectIn(visible));
}

/** The addresses in a text that is a list: each part begins with `0x`. Undefined for any other text. */
function addressesIn(text: string): AddressList | undefined {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  if (parts.length < 2 || !parts.every((part) => /^0x/i.test(part))) return undefined;
  const unique = [...new Map(parts.map((part) => [part.toLowerCase(), `0x${part.slice(2)}`])).values()];
  const { valid = [], wrong = [] } = Object.groupBy(unique, (part) => (ADDRESS.test(part) ? 'valid' : 'wrong'));
  return valid.length === 0 || unique.length === 1 ? undefined : { valid, wrong };
}

function onlySubjectIn(text: string): Subject | undefined {
  const [first = '', other] = new Set(text.match(/\b(0x[0-9a-f]{40}|NodeID-\w{20,40})\b/gi));
  if (other !== undefined) return undefined;
  if (ADDRESS.test(first)) return { address: `0x${first.slice(2)}` };
  return NODE.test(first) ? { node: first } : undefined;
}
