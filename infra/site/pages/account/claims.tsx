/** The claims of an address, now and later. Titles, sentences, dates and calls are those of the API. */

import { useContext } from 'preact/hooks';
import type { Account } from './bodies.ts';
import { Download } from './download.tsx';
import { Links } from './links.ts';
import { Copy, Quantity } from './quantity.tsx';

type Claim = NonNullable<Account['availableNow']>[number];
type Call = NonNullable<Claim['call']>;

interface SumsProps {
  account: Account | undefined;
  /** AVAX of one token, as far as it is known. */
  values: Partial<Record<string, number>>;
}

/** What can be taken out now: each token once, the most valuable first, with the value of all. Requests pay later. */
export function Sums({ account, values }: SumsProps) {
  if (!account?.availableNow) return <>not known at the moment</>;
  const { availableNow, ggAvax } = account;
  const { reason = 'NO_BALANCE' } = ggAvax.redemption ?? {};
  const sums = new Map<string, number>();
  // ggAVAX that cannot be redeemed is not a way out.
  for (const { token, amount = 0 } of availableNow)
    if (token !== 'ggAVAX' || reason === 'NO_BALANCE') sums.set(token, (sums.get(token) ?? 0) + Number(amount));
  const worth = ([token, amount]: [string, number]) => amount * (values[token] ?? Number.NaN);
  const parts = [...sums].filter(([, amount]) => amount > 0).sort((a, b) => worth(b) - worth(a));
  if (parts.length === 0) return <>nothing</>;
  const total = parts.reduce((sum, part) => sum + worth(part), 0);
  return (
    <>
      {parts.map(([token, amount], index) => [
        index > 0 && ', ',
        <Quantity key={token} amount={amount} unit={token} />,
      ])}
      {parts.length > 1 && total > 0 && ['; about ', <Quantity key="all" amount={total} unit="AVAX" />, ' in all']}
    </>
  );
}

/** Now in the order to send, with a `file` of all calls for a Safe; then later, and what gives up a place in the queue. */
export function ClaimList({ account, file }: { account: Account; file?: string }) {
  const { availableNow = [], availableLater = [], insteadOfWaiting = [] } = account;
  const isEmpty = availableNow.length === 0;
  const none = account.availableNow ? 'Nothing can be taken out at this block.' : 'What can be taken out is not known.';
  return (
    <>
      <Refusal account={account} />
      {isEmpty && <p class="empty">{none}</p>}
      <Claims claims={availableNow} />
      {!isEmpty && file && (
        <p>
          <Download href={file}>All transactions as a file for Safe</Download>{' '}
          <span class="quiet">(Transaction Builder)</span>
        </p>
      )}
      <Claims title="Later" claims={availableLater} />
      <Claims title="Instead of waiting" claims={insteadOfWaiting} />
    </>
  );
}

/** Why ggAVAX of the address cannot be redeemed, and whether the queue takes it. */
function Refusal({ account: { ggAvax, availableNow, availableLater = [] } }: { account: Account }) {
  const { balance, redemption: { reason, detail } = {} } = ggAvax;
  const isHeld = Number(balance) > 0;
  const isReturned = [...(availableNow ?? []), ...availableLater].some(({ token }) => token === 'ggAVAX');
  if (!reason || reason === 'NO_BALANCE' || !(isHeld || isReturned)) return null;
  const isTaken = availableNow?.some(({ what }) => what === 'requestUnstake');
  return (
    <p class="note">
      {`ggAVAX cannot be redeemed for AVAX at this block. ${detail}`}
      {isHeld && availableNow && !isTaken && ' The withdrawal queue does not take it either.'}
    </p>
  );
}

function Claims({ title: heading, claims }: { title?: string; claims: readonly Claim[] }) {
  if (claims.length === 0) return null;
  return (
    <>
      {heading && <h4>{heading}</h4>}
      <ol class="claims">
        {claims.map(({ title, amount, expectedAssets, token, detail, call }) => (
          <li key={`${title} ${detail}`}>
            <h4>
              <span>{title}</span>
              {expectedAssets === undefined && <Quantity amount={amount} unit={token} />}
            </h4>
            <p>{detail}</p>
            {call && <Transaction call={call} />}
          </li>
        ))}
      </ol>
    </>
  );
}

/** A transaction to send: all that a block explorer or a wallet needs. */
function Transaction({ call }: { call: Call }) {
  const { contract, function: signature, arguments: values, data, url } = call;
  const { names, viewOf, canCopy } = useContext(Links);
  const view = viewOf?.(call);
  const [name = '', ...types] = signature.split(/[(),]/).filter(Boolean);
  const parts: (readonly [label: string, text: string, copied: string])[] = [
    [['Contract', names.get(contract)].filter(Boolean).join(', '), contract, contract],
    ...(view ? [['Ask first', view, view] as const] : []),
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
            <code translate={false}>{text}</code>
            <Copy text={copied} />
            {index === 0 &&
              url && [
                ' ',
                <a key="write" href={url}>
                  Write contract
                </a>,
              ]}
          </dd>
        </div>
      ))}
    </dl>
  );
}
