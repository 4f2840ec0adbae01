import '../shared/style.css';
import '../shared/nav.css';
import './style.css';
import { startCalculator } from './calculator.ts';
import { startLookUp } from './look-up.ts';
import { type Fetched, refresh } from './panel.ts';
import { PANELS } from './panels.ts';

/** Most bodies stay fresh for a minute; the browser's own cache answers for those that stay fresh longer. */
const REFRESH_MS = 60_000;

function refreshAll(): Promise<unknown> {
  const fetched: Fetched = new Map();
  return Promise.all(PANELS.map((panel) => refresh(panel, fetched)));
}

startCalculator();
startLookUp();
void refreshAll();
setInterval(() => {
  if (document.visibilityState === 'visible') void refreshAll();
}, REFRESH_MS);
// Charts take their colours when they are drawn.
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => void refreshAll());
