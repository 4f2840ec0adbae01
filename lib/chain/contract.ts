import type {
  Abi,
  AbiParametersToPrimitiveTypes,
  ExtractAbiFunction,
  ExtractAbiFunctionNames,
  ParseAbi,
} from 'abitype';
import { AbiCoder, FunctionFragment, ParamType, type Result } from 'ethers';
import '../values/keccak.ts';
import { remember } from '../values/remember.ts';
import { Refusal } from './refusal.ts';
import views from './views.json' with { type: 'json' };

const CODER = AbiCoder.defaultAbiCoder();

/** ethers' types of ABI values: integers of every width are bigints. */
declare module 'abitype' {
  interface Register {
    addressType: string;
    bytesType: { inputs: string; outputs: string };
    intType: bigint;
  }
}

/** Integers may be passed as numbers, too. */
type Arguments<Types extends readonly unknown[]> = {
  [Index in keyof Types]: Types[Index] extends bigint ? bigint | number : Types[Index];
};

/** Several results come as a tuple; a single one is unwrapped. */
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

/** A call to a contract's view function. */
export interface ViewCall {
  to: string;
  /** 0x-prefixed. */
  data: string;
  gasLimit?: number;
  /** Who calls: a contract may answer only some. By default nobody in particular. */
  from?: string;
}

/** Runs calls of views, resolving with the data that they return. Rejects with {@link Refusal} if the chain refuses one. */
export interface Runner {
  call(request: ViewCall): Promise<string>;
}

/**
 * Binds a contract's views, given by their signatures, to a runner and an address; arguments and results are typed by
 * the signatures. Calls reject with {@link Refusal} if the chain refuses them, or if there is no such view or contract.
 * `calldata` encodes calls without sending them, for those who read many at once.
 *
 * Uses ethers' coder and not its `Contract`, which resolves names, fills in transactions and handles receipts, in each
 * call and in each bundle, and whose `Interface` hashes the signature for each call.
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
  const decode = Object.fromEntries(coders.map((view) => [view.name, (returned: string) => view.decode(returned)])) as {
    [Name in ExtractAbiFunctionNames<Contract>]: (returned: string) => AnswerOf<Contract, Name>;
  };
  return Object.assign(at, { signatures, calldata, decode });
}

/** Encodes the calls of a view and decodes its answers. */
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
      const results = CODER.decode(this.#view().outputs, returned);
      // ethers would throw for an invalid address or string only when it is read.
      results.toArray(true);
      return results;
    } catch {
      throw new Refusal(`not what this view returns: ${this.#signature}`);
    }
  }

  #view() {
    this.#parsed ??= viewOf(this.#signature);
    return this.#parsed;
  }
}

/** A view's selector, argument types and result types, as text. */
interface ViewDescription {
  selector: string;
  inputs: readonly string[];
  outputs: readonly string[];
}

/** Parses a signature with ethers. */
export function describeView(signature: string): ViewDescription {
  const { selector, inputs, outputs } = FunctionFragment.from(signature);
  const textOf = (type: ParamType) => type.format('full');
  return { selector, inputs: inputs.map(textOf), outputs: outputs.map(textOf) };
}

/**
 * Descriptions of the service's own signatures, written by `npm run generate`: to parse one takes a cold start 0.2 ms.
 */
const PRECOMPUTED: Readonly<Record<string, ViewDescription>> = views;
const MAX_TYPES = 1_000;
const typeOf = remember(MAX_TYPES, (text) => ParamType.from(text));

function viewOf(signature: string) {
  const { selector, inputs, outputs } = PRECOMPUTED[signature] ?? describeView(signature);
  return { selector, inputs: inputs.map(typeOf), outputs: outputs.map(typeOf) };
}
