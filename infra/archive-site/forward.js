/* The dashboard's old links: ?address=0x… and ?node=NodeID-…. */
const query = new URLSearchParams(location.search);
const [address = '', node = ''] = [query.get('address')?.split(',')[0], query.get('node') ?? undefined];
if (/^0x[0-9a-f]{40}$/i.test(address)) location.replace(`../address/${address.toLowerCase()}.html`);
else if (/^NodeID-\w+$/.test(node)) location.replace(`../node/${node}.html`);
else location.replace('../index.html');
