/* Hosts show this page at any path: it looks for the archive's folder above, and loads styles, links and search from there. */
function findArchive(folders) {
  const script = Object.assign(document.createElement('script'), { src: `${folders.join('/')}/search.js` });
  const next = () => folders.length > 1 && findArchive(folders.slice(0, -1));
  // A host may answer 200 with another page for a missing file: the script then defines nothing.
  script.onload = () => (typeof archive === 'string' ? showFrom(archive) : next());
  script.onerror = next;
  document.head.append(script);
}

function showFrom(href) {
  document.head.prepend(Object.assign(document.createElement('base'), { href }));
  // The same relative address would not be loaded again.
  document.querySelector('link[rel=stylesheet]').href = `${href}site.css`;
}

addEventListener('DOMContentLoaded', () => findArchive(location.pathname.split('/').slice(0, -1)));
