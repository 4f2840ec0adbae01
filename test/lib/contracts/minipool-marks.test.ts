import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { MARKS_CODE } from '../../../lib/contracts/minipool-marks.ts';

const SETTINGS = {
  // Old enough for every network.
  evmVersion: 'paris',
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { appendCBOR: false },
  outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
};

test('the program that reads marks is the bytecode of its source', async () => {
  const { default: solc } = (await import('solc')) as { default: { compile(input: string): string } };
  const content = readFileSync(new URL('../../../lib/contracts/MinipoolMarks.sol', import.meta.url), 'utf8');
  const sources = { 'MinipoolMarks.sol': { content } };
  const compiled = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings: SETTINGS })));
  expect(`0x${compiled.contracts['MinipoolMarks.sol'].MinipoolMarks.evm.bytecode.object}`).toBe(MARKS_CODE);
});
