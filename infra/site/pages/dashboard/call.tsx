import { CopyButton } from './identifier.tsx';

/** A function of a contract with its argument, ready to be copied into a block explorer or a wallet. */
export function Call({ contract, method, argument }: { contract: string; method: string; argument: bigint | number }) {
  return (
    <span class="call">
      <code>
        {contract}.{method}({String(argument)})
      </code>
      <CopyButton id={String(argument)} /> <a href="docs/guide#get-avax-back">How to</a>
    </span>
  );
}
