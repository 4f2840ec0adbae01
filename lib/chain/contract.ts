import type {
  Abi,
  AbiParametersToPrimitiveTypes,
  ExtractAbiFunction,
  ExtractAbiFunctionNames,
  ParseAbi,
} from 'abitype';
import { BaseContract, type ContractRunner, Interface } from 'ethers';
import '../keccak.ts';

/** What ethers takes and gives for each type of the ABI: numbers of every width are bigints. */
declare module 'abitype' {
  interface Register {
    addressType: string;
    bytesType: { inputs: string; outputs: string };
    intType: bigint;
  }
}

/** Numbers may be given as such. */
type Arguments<Types extends readonly unknown[]> = {
  [Index in keyof Types]: Types[Index] extends bigint ? bigint | number : Types[Index];
};

/** Several results come as a list, one alone by itself. */
type Answer<Types> = Types extends readonly [infer Only] ? Only : Types;

type Views<Contract extends Abi> = {
  [Name in ExtractAbiFunctionNames<Contract>]: (
    ...args: Arguments<AbiParametersToPrimitiveTypes<ExtractAbiFunction<Contract, Name>['inputs'], 'inputs'>>
  ) => Promise<Answer<AbiParametersToPrimitiveTypes<ExtractAbiFunction<Contract, Name>['outputs'], 'outputs'>>>;
};

/**
 * ethers' `Contract` of these signatures, at an address and as a runner reads it; results are typed by the signatures. Calls reject
 * with ethers' CALL_EXCEPTION when the chain refuses them and with BAD_DATA when there is no such view or contract.
 * The signatures are parsed when the contract is first used: a cold start pays for what it calls.
 * @example
 * const tokenAt = contractOf(['function totalSupply() view returns (uint256)']);
 * const { runner, addresses } = view;
 * const supplies = [addresses.TokenGGP, addresses.TokenggAVAX].map((token) => tokenAt(runner, token).totalSupply());
 * const [ggp, ggAvax] = await Promise.all(supplies);
 * [typeof ggp, typeof ggAvax] // ['bigint', 'bigint']
 */
export function contractOf<const Signatures extends readonly string[]>(signatures: Signatures) {
  let abi: Interface | undefined;
  return (runner: ContractRunner, address: string) => {
    abi ??= new Interface(signatures);
    return BaseContract.from<Views<ParseAbi<Signatures>>>(address, abi, runner);
  };
}
