import { useContext } from 'preact/hooks';
import { ContractNames } from './contracts.ts';
import { Explorer } from './explorer.ts';
import { CopyButton } from './identifier.tsx';

export interface CallProps {
  /** The contract's address. */
  contract: string;
  /** With the types of its arguments: `redeemAVAX(uint256)`. */
  function: string;
  arguments: readonly string[];
}

/** A transaction to send: everything that a block explorer or a wallet asks for, each part with a copy button. */
export function Call({ contract, function: signature, arguments: values }: CallProps) {
  const explorer = useContext(Explorer);
  const contractName = useContext(ContractNames).get(contract);
  const [name = '', ...types] = signature.split(/[(),]/).filter(Boolean);
  return (
    <dl class="call">
      <div>
        <dt>{['Contract', contractName].filter(Boolean).join(', ')}</dt>
        <dd>
          <code>{contract}</code>
          <CopyButton id={contract} />
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
          <code>{signature}</code>
          <CopyButton id={name} />
        </dd>
      </div>
      {values.map((value, index) => (
        <div key={index}>
          <dt>{[values.length > 1 ? `Argument ${index + 1}` : 'Argument', types[index]].filter(Boolean).join(', ')}</dt>
          <dd>
            <code>{value}</code>
            <CopyButton id={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
