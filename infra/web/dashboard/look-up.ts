import { ApiFailure, get } from './api.ts';
import type { AddressRewards, Staker, Withdrawals } from './bodies.ts';
import { amount, day, element, facts, name, percent, table } from './format.ts';

/** All there is of an address. An address that does nothing here is an ordinary answer. */

export function startLookUp(): void {
  const form = document.querySelector('#look-up form') as HTMLFormElement;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void lookUp(String(new FormData(form).get('address')).trim());
  });
}

async function lookUp(address: string): Promise<void> {
  const place = document.querySelector('#look-up .content') as HTMLElement;
  place.setAttribute('aria-busy', 'true');
  try {
    const path = encodeURIComponent(address);
    const [staker, rewards, withdrawals] = await Promise.all([
      ifThere(get<Staker>(`stakers/${path}`)),
      ifThere(get<AddressRewards>(`rewards/${path}`)),
      ifThere(get<Withdrawals>(`withdrawals/${path}`)),
    ]);
    const found = [
      ...(staker ? describeStaker(staker) : []),
      ...(rewards ? describeRewards(rewards) : []),
      ...(withdrawals?.requests.length ? describeWithdrawals(withdrawals) : []),
    ];
    place.replaceChildren(
      ...(found.length > 0
        ? found
        : [element('p', { class: 'empty' }, 'This address has no stake, no reward and no withdrawal here.')]),
    );
  } catch (error) {
    const message = error instanceof ApiFailure ? error.message : 'This cannot be shown.';
    place.replaceChildren(element('p', { class: 'problem', role: 'alert' }, message));
  } finally {
    place.removeAttribute('aria-busy');
  }
}

async function ifThere<Body>(asked: Promise<{ body: Body }>): Promise<Body | undefined> {
  try {
    return (await asked).body;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return undefined;
    throw error;
  }
}

function describeStaker({ ggpStaked, avaxStaked, collateralPercent, minipools = [] }: Staker): Node[] {
  const rows = minipools.map(({ index, nodeID, status, avaxNodeOpAmt }) => [
    String(index),
    name(nodeID),
    status,
    amount(avaxNodeOpAmt, 'AVAX'),
  ]);
  return [
    element('h3', {}, 'Stake'),
    facts([
      ['GGP', amount(ggpStaked, 'GGP')],
      ['AVAX', amount(avaxStaked, 'AVAX')],
      ['Collateral', collateralPercent === undefined ? 'no AVAX assigned' : percent(collateralPercent)],
    ]),
    rows.length > 0
      ? table('Minipools of this address', ['No.', 'Node', 'Status', 'Own AVAX'], rows)
      : element('p', { class: 'empty' }, 'No minipools.'),
  ];
}

function describeRewards({ ggpRewards, estimatedGGPReward, eligible, claims }: AddressRewards): Node[] {
  const rows = (claims ?? []).map((claim) => [day(claim.timestamp), amount(claim.amount, 'GGP'), name(claim.txHash)]);
  return [
    element('h3', {}, 'Rewards'),
    facts([
      ['To claim', amount(ggpRewards, 'GGP')],
      ['Next cycle, estimated', amount(estimatedGGPReward, 'GGP')],
      ['Eligible', eligible ? 'yes' : 'not now'],
    ]),
    rows.length > 0
      ? table('Claims of this address', ['Day', 'Amount', 'Transaction'], rows)
      : element('p', { class: 'empty' }, claims ? 'No claims yet.' : 'Claims cannot be read at the moment.'),
  ];
}

function describeWithdrawals({ requests }: Withdrawals): Node[] {
  const rows = requests.map(({ requestId, expectedAssets, status, claimableTime }) => [
    String(requestId),
    amount(expectedAssets, 'AVAX'),
    status,
    day(claimableTime),
  ]);
  return [
    element('h3', {}, 'Withdrawals'),
    table('Withdrawals of this address', ['No.', 'Amount', 'Status', 'Claimable'], rows),
  ];
}
