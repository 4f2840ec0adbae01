import '../shared/style.css';
import '../shared/nav.css';
import './style.css';

/** The examples ask the service that the page is from, the name of a stage included. */
const service = location.href.replace(/\/docs\/guide.*$/, '');
for (const code of document.querySelectorAll('code[data-language]')) {
  code.textContent = (code.textContent ?? '').replaceAll('http://localhost:3000', service);
}
