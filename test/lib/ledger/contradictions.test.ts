import { expect, test } from '@jest/globals';
import { ofHolder } from '../../../lib/ledger/concerns.ts';
import { type Contradiction, provenBefore, storable } from '../../../lib/ledger/contradictions.ts';

const at = (number: number) => ({ number, timestamp: 1_000 * number });
const differs = (agreedAt?: number, what = 'totalSupply (TokenggAVAX)'): Contradiction => ({
  ...{ what, ledger: '1', contract: '2', block: 9 },
  agreedAt: agreedAt === undefined ? undefined : at(agreedAt),
});

test('the past is proven up to the first contradiction, and not at all if it is not known where one begins', () => {
  expect(provenBefore([differs(7), differs(5), differs(6)])).toEqual(at(5));
  expect(provenBefore([differs(5), differs(7)])).toEqual(at(5));
  expect(provenBefore([differs(0), differs(), differs(5)])).toBeUndefined();
});

test('those that are too many to be stored one by one are one of each view, which concerns everybody', () => {
  const holder = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;
  const balances = Array.from({ length: 510 }, (_, index) => differs(7, `balanceOf (TokenggAVAX) ${holder(index)}`));
  const node = differs(undefined, 'status + 1 (MinipoolManager) 0x7a');
  const stored = storable([...balances, differs(5, `balanceOf (TokenggAVAX) ${holder(510)}`), node, node]);
  expect(stored.slice(0, 500)).toEqual(balances.slice(0, 500));
  expect(stored.slice(500)).toEqual([
    { what: 'balanceOf (TokenggAVAX)', ledger: '11', contract: '22', block: 9, agreedAt: at(5) },
    { what: 'status + 1 (MinipoolManager)', ledger: '2', contract: '4', block: 9, agreedAt: undefined },
  ]);
  const concerning = (index: number) => stored.filter(({ what }) => ofHolder(holder(index)).test(what));
  expect(concerning(3)).toEqual([balances[3], stored[500]]);
  expect(concerning(600)).toEqual([stored[500]]);
  expect(storable(balances.slice(0, 500))).toEqual(balances.slice(0, 500));
  expect(JSON.stringify(stored).length).toBeLessThan(150_000);
});
