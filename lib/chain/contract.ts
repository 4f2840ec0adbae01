import type {
  Abi,
  AbiParametersToPrimitiveTypes,
  ExtractAbiFunction,
  ExtractAbiFunctionNames,
  ParseAbi,
} from 'abitype';
import { AbiCoder, FunctionFragment, ParamType, type Result } from 'ethers';
import '../keccak.ts';
import { remember } from '../remember.ts';
import views from './views.json' with { type: 'json' };
import { badData } from './words.ts';

const CODER = AbiCoder.defaultAbiCoder();

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

type ArgumentsOf<Contract extends Abi, Name extends ExtractAbiFunctionNames<Contract>> = Arguments<
  AbiParametersToPrimitiveTypes<ExtractAbiFunction<Contract, Name>['inputs'], 'inputs'>
>;

type AnswerOf<Contract extends Abi, Name extends ExtractAbiFunctionNames<Contract>> = Answer<
  AbiParametersToPrimitiveTypes<ExtractAbiFunction<Contract, Name>['outputs'], 'outputs'>
>;

type Views<Contract extends Abi> = {
  [Name in ExtractAbiFunctionNames<Contract>]: (
    ...args: ArgumentsOf<Contract, Name>
  ) => Promise<AnswerOf<Contract, Name>>;
};

type Calldata<Contract extends Abi> = {
  [Name in ExtractAbiFunctionNames<Contract>]: (...args: ArgumentsOf<Contract, Name>) => string;
};

/** A call of a view. */
export interface ViewCall {
  to: string;
  /** 0x-prefixed. */
  data: string;
  gasLimit?: number;
}

/** What runs calls of views: resolves with the data that they return. ethers' `Provider` and `Signer` are such runners, too. */
export interface Runner {
  call(request: ViewCall): Promise<string>;
}

/**
 * The views of a contract by their signatures, at an address and as a runner reads it; results are typed by the signatures. Calls
 * reject with ethers' CALL_EXCEPTION when the chain refuses them and with BAD_DATA when there is no such view or contract. `calldata`
 * is what a call of each sends, for who reads many at once.
 *
 * By ethers' coder and not its `Contract`: that one looks up names, fills in transactions and knows receipts, for each call and in each
 * bundle, and its `Interface` hashes the signature for each call.
 * @example
 * const tokenAt = contractOf(['function totalSupply() view returns (uint256)']);
 * const { runner, addresses } = view;
 * const supplies = [addresses.TokenGGP, addresses.TokenggAVAX].map((token) => tokenAt(runner, token).totalSupply());
 * const [ggp, ggAvax] = await Promise.all(supplies);
 * [typeof ggp, typeof ggAvax] // ['bigint', 'bigint']
 * tokenAt.calldata.totalSupply() // '0x18160ddd'
 */
export function contractOf<const Signatures extends readonly string[]>(signatures: Signatures) {
  type Contract = ParseAbi<Signatures>;
  const coders = signatures.map((signature) => new ViewCoder(signature));
  const ofEach = (use: (view: ViewCoder, args: unknown[]) => unknown) =>
    Object.fromEntries(coders.map((view) => [view.name, (...args: unknown[]) => use(view, args)]));

  const calldata = ofEach((view, args) => view.encode(args)) as Calldata<Contract>;
  const at = (runner: Runner, address: string) =>
    ofEach(async (view, args) => {
      const returned = await runner.call({ to: address, data: view.encode(args) });
      return view.decode(returned);
    }) as Views<Contract>;
  return Object.assign(at, { signatures, calldata });
}

/** What a view is asked and answers. */
class ViewCoder {
  readonly name: string;
  readonly #signature: string;
  #parsed: ReturnType<typeof viewOf> | undefined;

  constructor(signature: string) {
    this.#signature = signature;
    this.name = signature.slice('function '.length, signature.indexOf('('));
  }

  encode(args: readonly unknown[]): string {
    const { selector, inputs } = this.#view();
    // Most views take nothing.
    return inputs.length === 0 ? selector : selector + CODER.encode(inputs, args).slice('0x'.length);
  }

  decode(returned: string): unknown {
    const results = this.#resultsIn(returned);
    return results.length === 1 ? results[0] : results;
  }

  #resultsIn(returned: string): Result {
    try {
      return CODER.decode(this.#view().outputs, returned);
    } catch {
      throw badData(`not what this view returns: ${this.#signature}`);
    }
  }

  #view() {
    this.#parsed ??= viewOf(this.#signature);
    return this.#parsed;
  }
}

/** A view in words: its selector, and the types of what it takes and gives. */
interface ViewDescription {
  selector: string;
  inputs: readonly string[];
  outputs: readonly string[];
}

/** As ethers parses a signature. */
export function describeView(signature: string): ViewDescription {
  const { selector, inputs, outputs } = FunctionFragment.from(signature);
  const textOf = (type: ParamType) => type.format('full');
  return { selector, inputs: inputs.map(textOf), outputs: outputs.map(textOf) };
}

/** Of the signatures in the service's own code (`npm run generate`): a cold start would spend 0.2 ms on each of some forty. */
const WRITTEN: Readonly<Record<string, ViewDescription>> = views;
const MAX_TYPES = 1_000;
const typeOf = remember(MAX_TYPES, (text) => ParamType.from(text));

function viewOf(signature: string) {
  const { selector, inputs, outputs } = WRITTEN[signature] ?? describeView(signature);
  return { selector, inputs: inputs.map(typeOf), outputs: outputs.map(typeOf) };
}
