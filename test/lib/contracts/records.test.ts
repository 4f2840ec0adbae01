import { describe, expect, test } from '@jest/globals';
import { id, solidityPackedKeccak256 } from 'ethers';
import { readRecordTotals } from '../../../lib/contracts/records.ts';
import { network, protocolOf } from '../../support/contracts.ts';

describe('totals of records', () => {
  const keyOf = (list: string, index: number, field: string) =>
    solidityPackedKeccak256(['string', 'int256', 'string'], [`${list}.item`, index, `.${field}`]);
  const stored = new Map([
    [id('minipool.count'), 4n],
    [id('staker.count'), 2n],
    [keyOf('minipool', 0, 'status'), 2n],
    [keyOf('minipool', 1, 'status'), 3n],
    [keyOf('minipool', 2, 'status'), 2n],
    [keyOf('minipool', 3, 'status'), 3n],
    [keyOf('minipool', 0, 'avaxNodeOpRewardAmt'), 1_000n],
    [keyOf('minipool', 1, 'avaxNodeOpRewardAmt'), 20n],
    [keyOf('minipool', 3, 'avaxNodeOpRewardAmt'), 5n],
    [keyOf('staker', 0, 'avaxStaked'), 7n],
    [keyOf('staker', 1, 'avaxStaked'), 2n ** 200n],
    // Beyond the counts.
    [keyOf('minipool', 4, 'status'), 2n],
    [keyOf('staker', 2, 'avaxStaked'), 9n],
  ]);
  const getUint = 'getUint(bytes32 key) view returns (uint256)';

  test('are sums over the records in the storage contract', async () => {
    const state = protocolOf({ [network.storage]: { [getUint]: (key) => [stored.get(String(key)) ?? 0n] } });
    expect(await readRecordTotals(state)).toEqual({
      minipoolsStaking: 2,
      avaxStaked: 2n ** 200n + 7n,
      // Of the withdrawable ones.
      avaxNodeOpRewards: 25n,
    });
  });

  test('are 0 without records, and undefined before there was a registry', async () => {
    const empty = protocolOf({ [network.storage]: { [getUint]: [0n] } });
    expect(await readRecordTotals(empty)).toEqual({ minipoolsStaking: 0, avaxStaked: 0n, avaxNodeOpRewards: 0n });
    expect(await readRecordTotals(protocolOf({}))).toBeUndefined();
  });
});
