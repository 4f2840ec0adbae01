import { expect, test } from '@jest/globals';
import { createSafeFile, safeChecksum } from '../../../lib/values/safe-file.ts';

/** A file that the Transaction Builder 1.18.2 exported (5afe/safe-cli-nodejs). */
const EXPORTED = {
  version: '1.0',
  chainId: '1',
  createdAt: 1_761_326_849_944,
  meta: {
    name: 'Transactions Batch',
    description: '',
    txBuilderVersion: '1.18.2',
    createdFromSafeAddress: '0xA77DE01e157f9f57C7c4A326eeE9C4874D0598b6',
    createdFromOwnerAddress: '',
  },
  transactions: [
    {
      to: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      value: '0',
      data: null,
      contractMethod: {
        inputs: [
          { internalType: 'address', name: 'spender', type: 'address' },
          { internalType: 'uint256', name: 'value', type: 'uint256' },
        ],
        name: 'approve',
        payable: false,
      },
      contractInputsValues: { spender: '0x474e5Ded6b5D078163BFB8F6dBa355C3aA5478C8', value: '100000000000' },
    },
  ],
};

test('the checksum is the one of the Transaction Builder', () => {
  expect(safeChecksum(EXPORTED)).toBe('0x8b5032f716845c8b08bab3d63dbd9ba92e056f3557793cd041e59b84e16aa989');
});

test('a file has all calls in order, and its own checksum', () => {
  const call = { contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', value: '0', chainId: 43_114 };
  const { meta, ...file } = JSON.parse(
    createSafeFile(
      'Claims',
      [
        { ...call, data: '0x01' },
        { ...call, data: '0x02' },
      ],
      9,
    ),
  );
  expect(file).toMatchObject({ version: '1.0', chainId: '43114', createdAt: 9_000 });
  expect(file.transactions).toEqual(
    ['0x01', '0x02'].map((data) => ({
      ...{ to: call.contract, value: '0', data },
      ...{ contractMethod: null, contractInputsValues: null },
    })),
  );
  expect(meta).toEqual({ name: 'Claims', checksum: safeChecksum({ ...file, meta: { name: 'Claims' } }) });
});
