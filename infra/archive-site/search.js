/* Goes to the page of an address or node. Opened from a folder, nothing can be looked up first. */
const form = document.getElementById('search');
const found = document.getElementById('found');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const subject = form.elements.subject.value.trim();
  const isAddress = /^0x[0-9a-f]{40}$/i.test(subject);
  if (!isAddress && !/^NodeID-\w{30,}$/.test(subject)) {
    found.textContent = 'An address is 0x and 40 hexadecimal digits; a node begins with NodeID-.';
    return;
  }
  const page = isAddress ? `address/${subject.toLowerCase()}.html` : `node/${subject}.html`;
  const answer =
    location.protocol === 'file:' ? undefined : await fetch(page, { method: 'HEAD' }).catch(() => undefined);
  if (answer?.status === 404) {
    found.textContent = `${isAddress ? 'This address appears in no event of the protocol' : 'This node had no minipool'} up to the archive's block.`;
    return;
  }
  location.href = page;
});
