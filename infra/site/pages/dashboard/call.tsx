import { useContext } from 'preact/hooks';
import { ContractNames } from './contracts.ts';
import { Data } from './data.tsx';
import { Explorer } from './explorer.ts';
import { CopyButton } from './identifier.tsx';

export interface CallProps {
  /** The contract's address. */
  contract: string;
  /** With the types of its arguments: `redeemAVAX(uint256)`. */
  function: string;
  arguments: readonly string[];
  /** Calldata in hex. */
  data: string;
}

/** A transaction to send: all that a block explorer or a wallet needs, each part with a copy button. */
export function Call({ contract, function: signature, arguments: values, data }: CallProps) {
  const explorer = useContext(Explorer);
  const contractName = useContext(ContractNames).get(contract);
  const [name = '', ...types] = signature.split(/[(),]/).filter(Boolean);
  return (
    <dl class="call">
      <div>
        <dt>{['Contract', contractName].filter(Boolean).join(', ')}</dt>
        <dd>
          <Copyable text={contract} />
          {explorer && (
            <>
              <a href={explorer('address', contract)} target="_blank" rel="noreferrer">
                Explorer
              </a>
              <a href={explorer('write', contract)} target="_blank" rel="noreferrer">
                Write contract
              </a>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Function</dt>
        <dd>
          <Copyable text={signature} copied={name} />
        </dd>
      </div>
      {values.map((value, index) => (
        <div key={index}>
          <dt>{[values.length > 1 ? `Argument ${index + 1}` : 'Argument', types[index]].filter(Boolean).join(', ')}</dt>
          <dd>
            <Copyable text={value} />
          </dd>
        </div>
      ))}
      <div>
        <dt>Calldata</dt>
        <dd>
          <Copyable text={`${data.slice(0, 10)}…`} copied={data} />
        </dd>
      </div>
    </dl>
  );
}

function Copyable({ text, copied = text }: { text: string; copied?: string }) {
  return (
    <>
      <code>
        <Data>{text}</Data>
      </code>
      <CopyButton id={copied} />
    </>
  );
}
