/* Goes to the page of an address or a node, if the lists have it: hosts differ in how they answer for a missing file. */
const archive = new URL('.', document.currentScript.src).href;
const form = document.getElementById('search');
const found = document.getElementById('found');

/** Loads a list, in one or two spellings. A script, because pages in a folder may not read files. */
function load(list) {
  return new Promise((resolve, reject) => {
    globalThis.listed = (...spellings) => resolve(spellings);
    const script = document.createElement('script');
    script.src = `${archive}lists/${list}.js`;
    // A host may answer 200 with another page for a missing file: the script then calls nothing.
    script.onload = script.onerror = reject;
    document.head.append(script);
  });
}

/** The path of a page, or a sentence. */
async function find(text) {
  const isHex = /^0x[0-9a-f]{40}$/i.test(text);
  const hex = text.toLowerCase();
  if (!isHex && !/^NodeID-\w{20,40}$/.test(text))
    return { said: 'An address is 0x and 40 hexadecimal digits; a node begins with NodeID-.' };
  const [addresses] = isHex ? await load(hex[2]) : [[]];
  const address = addresses.find((one) => one.toLowerCase() === hex);
  // Lower case and capitals only are spellings without a checksum.
  const isSpelt = [address, hex, `0x${hex.slice(2).toUpperCase()}`].includes(text);
  if (address && !isSpelt) return { said: 'The capitals do not fit this address: look for a typing error.' };
  if (address) return { path: `address/${hex}.html` };
  const [nodes, inHex] = await load('nodes');
  const node = nodes[isHex ? inHex.indexOf(hex) : nodes.indexOf(text)];
  if (node) return { path: `node/${node}.html` };
  if (!isHex) return { said: 'This node had no minipool up to the block of this copy.' };
  const [small] = await load('small');
  return {
    said: small.includes(hex)
      ? 'This address never had as much as 0.001 of a token, so it has no page. Its events are in the tables of events.'
      : 'This address appears in no event of the protocol up to the block of this copy.',
  };
}

async function search() {
  const names = form.elements.subject.value.split(/[\s,;]+/).filter(Boolean);
  found.textContent = '';
  try {
    // One after another: they share a callback.
    for (const name of names) {
      const { path, said } = await find(name);
      if (path && names.length === 1) location.href = archive + path;
      const link = Object.assign(document.createElement('a'), { textContent: name, href: archive + path });
      found.append(path ? link : names.length === 1 ? said : `${name}: ${said}`, document.createElement('br'));
    }
  } catch {
    found.textContent = 'The list of pages could not be loaded. Try again.';
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  search();
});

/* The dashboard's old links: ?address=0x… and ?node=NodeID-…. */
const linked = new URLSearchParams(location.search);
form.elements.subject.value = linked.get('address') ?? linked.get('node') ?? '';
if (form.elements.subject.value) search();
