import '../shared/style.css';
import '../shared/nav.css';
import './styles/page.css';
import './styles/card.css';
import './styles/notice.css';
import './styles/search.css';
import './styles/values.css';
import './styles/table.css';
import './styles/chart.css';
import './styles/print.css';
import { h, render } from 'preact';
import { followHash } from './anchors.tsx';
import { Dashboard } from './dashboard.tsx';
import { remembered, setParams } from './location.ts';
import { toParams } from './subject.ts';

const params = new URLSearchParams(location.search);
if (!params.has('address') && !params.has('node')) setParams(toParams(remembered()));
const place = document.querySelector('#dashboard') as HTMLElement;
// What is there for browsers that do not run this script.
place.replaceChildren();
render(h(Dashboard, {}), place);
followHash(place.parentElement as HTMLElement);
