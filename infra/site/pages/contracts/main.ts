import '../shared/style.css';
import { h, render } from 'preact';
import type { Bodies } from '../../../../functions/index.ts';
import { ContractTable } from '../account/contracts.tsx';

const place = document.querySelector('#contracts') as HTMLElement;

async function show(): Promise<void> {
  const response = await fetch('../contracts', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const { contracts } = (await response.json()) as Bodies['/contracts'];
  place.replaceChildren();
  render(h(ContractTable, { contracts }), place);
}

show().catch(() => {
  place.textContent = 'The contracts could not be read. Reload the page in a minute.';
});
