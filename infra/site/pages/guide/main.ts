import '../shared/style.css';
import '../shared/nav.css';
import './style.css';

/** Makes the examples use the service that serves this page, including the stage in its path. */
const service = location.href.replace(/\/docs\/guide.*$/, '');
for (const code of document.querySelectorAll('code[data-language]')) {
  code.textContent = (code.textContent ?? '').replaceAll('http://localhost:3000', service);
}
