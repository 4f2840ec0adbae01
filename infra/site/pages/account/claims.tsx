/** The claims of an address, now and later. Titles, sentences, dates and calls are those of the API. */

import { useContext } from 'preact/hooks';
import { createSafeFile } from '../../../../lib/values/safe-file.ts';
import type { Account } from './bodies.ts';
import { Links } from './links.ts';
import { Copy, Quantity } from './quantity.tsx';

type Claim = NonNullable<Account['availableNow']>[number];
type Call = NonNullable<Claim['call']>;

/** The amounts that can be taken out now. */
export function Sums({ claims }: { claims: readonly Claim[] | undefined }) {
  if (!claims) return <>not known at the moment</>;
  if (claims.length === 0) return <>nothing</>;
  return (
    <>
      {claims.map(({ title, amount, token }, index) => [
        index > 0 && ', ',
        <Quantity key={title} amount={amount} unit={token} />,
      ])}
    </>
  );
}

/** Now in the order to send, with one file of all calls for a Safe; then later. `time`: of the account's block, unix seconds. */
export function ClaimList({ account, time }: { account: Account; time: number }) {
  const { address, availableNow, availableLater = [] } = account;
  const calls = availableNow?.flatMap(({ call }) => call ?? []) ?? [];
  return (
    <>
      {calls.length === 0 && (
        <p class="empty">
          {availableNow ? 'Nothing can be taken out at this block.' : 'What can be taken out could not be read.'}
        </p>
      )}
      <Claims claims={availableNow ?? []} />
      {calls.length > 0 && (
        <p>
          <a
            href={`data:application/json,${encodeURIComponent(createSafeFile(`Take out of ${address}`, calls, time))}`}
            download={`safe-${address}.json`}
          >
            All transactions as a file for Safe
          </a>{' '}
          <span class="quiet">(Transaction Builder)</span>
        </p>
      )}
      {availableLater.length > 0 && (
        <>
          <h4>Later</h4>
          <Claims claims={availableLater} />
        </>
      )}
    </>
  );
}

function Claims({ claims }: { claims: readonly Claim[] }) {
  return (
    <ol class="claims">
      {claims.map(({ title, amount, token, detail, call }) => (
        <li key={`${title} ${detail}`}>
          <h4>
            <span>{title}</span>
            <Quantity amount={amount} unit={token} />
          </h4>
          <p>{detail}</p>
          {call && <Transaction call={call} />}
        </li>
      ))}
    </ol>
  );
}

/** A transaction to send: all that a block explorer or a wallet needs. */
function Transaction({ call: { contract, function: signature, arguments: values, data } }: { call: Call }) {
  const { names, explorer, canCopy } = useContext(Links);
  const [name = '', ...types] = signature.split(/[(),]/).filter(Boolean);
  const parts: (readonly [label: string, text: string, copied: string])[] = [
    [['Contract', names.get(contract)].filter(Boolean).join(', '), contract, contract],
    ['Function', signature, name],
    ...values.map((value, index) => [`Argument ${index + 1}, ${types[index]}`, value, value] as const),
    ['Calldata', canCopy ? `${data.slice(0, 10)}…` : data, data],
  ];
  return (
    <dl class="call">
      {parts.map(([label, text, copied], index) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <code translate={false}>{index === 0 && explorer ? <a href={explorer(contract)}>{text}</a> : text}</code>
            <Copy text={copied} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
