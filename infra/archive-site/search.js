/* Goes to the page of an address or a node, if the lists have it: hosts differ in how they answer for a missing file. */
const form = document.getElementById('search');
const found = document.getElementById('found');
const { up } = form.dataset;

/** Loads the names that begin alike. A script, because pages in a folder may not read files. */
function load(list) {
  return new Promise((resolve, reject) => {
    globalThis.listed = resolve;
    const script = document.createElement('script');
    script.src = `${up}lists/${list}.js`;
    // A host may answer 200 with another page for a missing file: the script then calls nothing.
    script.onload = script.onerror = reject;
    document.head.append(script);
  });
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const text = form.elements.subject.value.trim();
  const isAddress = /^0x[0-9a-f]{40}$/i.test(text);
  if (!isAddress && !/^NodeID-\w{20,40}$/.test(text)) {
    found.textContent = 'An address is 0x and 40 hexadecimal digits; a node begins with NodeID-.';
    return;
  }
  const subject = isAddress ? text.toLowerCase() : text;
  const names = await load(isAddress ? subject[2] : 'nodes').catch(() => undefined);
  if (!names) found.textContent = 'The list of pages could not be loaded. Try again.';
  else if (names.includes(subject)) location.href = `${up}${isAddress ? 'address' : 'node'}/${subject}.html`;
  else
    found.textContent = isAddress
      ? 'This address appears in no event of the protocol up to the block of this copy.'
      : 'This node had no minipool up to the block of this copy.';
});
