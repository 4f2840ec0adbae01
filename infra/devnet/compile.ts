import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { JsonFragment } from 'ethers';

/** Codes are 0x hex: of the creation, and of the contract. */
export type Artifacts = Record<string, { abi: JsonFragment[]; bytecode: string; deployedBytecode: string }>;

interface SolcOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { abi: JsonFragment[]; evm: Record<string, { object: string }> }>>;
}

const SOURCES = join(import.meta.dirname, 'contracts');
const require = createRequire(import.meta.url);

/** The optimizer is off: it would take four times as long and nobody pays for gas here. */
const SETTINGS = {
  evmVersion: 'cancun',
  metadata: { appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
};

/**
 * Compiles the devnet's contracts with solc, in process. The result is kept in node_modules/.cache under the hash
 * of all that went into it, because the compiler alone takes three seconds.
 */
export async function loadArtifacts(): Promise<Artifacts> {
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sol'));
  const sources = Object.fromEntries(
    names.sort().map((name) => [name.replaceAll('\\', '/'), { content: readFileSync(join(SOURCES, name), 'utf8') }]),
  );
  const input = JSON.stringify({ language: 'Solidity', sources, settings: SETTINGS });
  const solcPackage = require.resolve('solc/package.json');
  const { version } = JSON.parse(readFileSync(solcPackage, 'utf8')) as { version: string };
  const key = createHash('sha256').update(version).update(input).digest('hex');
  const cached = join(dirname(dirname(solcPackage)), '.cache', 'devnet', `${key}.json`);
  if (existsSync(cached)) return JSON.parse(readFileSync(cached, 'utf8')) as Artifacts;
  const artifacts = await compile(input);
  try {
    mkdirSync(dirname(cached), { recursive: true });
    // Renamed, so that a reader never sees half a file.
    const partial = `${cached}.${process.pid}`;
    writeFileSync(partial, JSON.stringify(artifacts));
    renameSync(partial, cached);
  } catch {
    // A read-only disk: it is compiled again the next time.
  }
  return artifacts;
}

async function compile(input: string): Promise<Artifacts> {
  const { default: solc } = (await import('solc')) as { default: { compile(input: string): string } };
  const output = JSON.parse(solc.compile(input)) as SolcOutput;
  const errors = output.errors?.filter((error) => error.severity === 'error') ?? [];
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'));
  const contracts = Object.values(output.contracts).flatMap((file) => Object.entries(file));
  const codesOf = ({ bytecode, deployedBytecode }: Record<string, { object: string }>) => ({
    bytecode: `0x${bytecode?.object}`,
    deployedBytecode: `0x${deployedBytecode?.object}`,
  });
  return Object.fromEntries(contracts.map(([name, { abi, evm }]) => [name, { abi, ...codesOf(evm) }]));
}
