import { ClaimList, Sums } from '../account/claims.tsx';
import { Holdings } from '../account/holdings.tsx';
import { MinipoolTable } from '../account/minipools.tsx';
import { useAnswer } from './answers.ts';
import { Card } from './card.tsx';
import { Cycles, Position, Stake } from './earnings.tsx';
import { IncomeCard } from './income-card.tsx';
import { pathOf, withQuery } from './paths.ts';
import { SubjectView } from './subject-view.tsx';
import { Timeline } from './timeline.tsx';

/** The view of an address. Each card loads, fails and recovers by itself. */
export function AddressView({ address }: { address: string }) {
  const account = useAnswer(pathOf('/accounts/{address}', address));
  const position = useAnswer(pathOf('/ggAvax/{address}', address));
  const values = useTokenValues();
  const { body } = account;
  const isStaker = body?.staking !== undefined;
  const staker = useAnswer(isStaker ? pathOf('/stakers/{address}', address) : undefined);
  const hasGgAvax = Number(body?.ggAvax.balance) > 0;
  // Every holder got its ggAVAX by a deposit or a transfer.
  const hadGgAvax = [position.body?.deposited, position.body?.transferredIn].some((amount) => Number(amount) > 0);
  const hasNothing = body && position.body && !isStaker && !hasGgAvax && !hadGgAvax && body.totalAVAX === '0';
  return (
    <SubjectView
      title="Address"
      id={address}
      answer={account}
      summary={
        hasNothing
          ? 'Nothing was found for this address: no ggAVAX now or in the past, staked GGP, minipools, rewards or open withdrawals. GGP in a wallet is not looked up.'
          : (body ?? account.failure) && (
              <>
                <strong>Available now:</strong> <Sums account={body} values={values} />
              </>
            )
      }
    >
      {!hasNothing && (
        <>
          <Card
            id="take-out"
            title="Take it out"
            about={
              <>
                {body && `At block ${body.block.number}. `}
                <a href="docs/guide#get-avax-back">How to send a transaction, step by step</a>
              </>
            }
            answers={[account]}
            lines={20}
          >
            {body && (
              <ClaimList account={body} file={withQuery(pathOf('/accounts/{address}', address), { format: 'safe' })} />
            )}
            <CalendarLink path={`accounts/${address}/calendar.ics`} />
          </Card>
          <Card id="holdings" title="Everything at this address" answers={[account]}>
            {body && <Holdings account={body} />}
          </Card>
          <IncomeCard path={pathOf('/accounts/{address}/income', address)} stakers={isStaker ? [address] : []} />
        </>
      )}
      {(hadGgAvax || position.failure) && <Position position={position} />}
      {isStaker && <Stake staker={staker} address={address} />}
      {isStaker && (
        <Card
          id="minipools"
          title="Minipools"
          answers={[staker]}
          csv={withQuery(pathOf('/minipools'), { owner: address })}
        >
          <MinipoolTable minipools={staker.body?.minipools ?? []} />
        </Card>
      )}
      {isStaker && <Cycles address={address} />}
      {hadGgAvax && (
        <Timeline id="ggavax-activity" title="ggAVAX activity" path={pathOf('/ggAvax/{address}/activity', address)} />
      )}
      {isStaker && (
        <Timeline
          id="staking-activity"
          title="Staking activity"
          path={pathOf('/stakers/{address}/activity', address)}
        />
      )}
    </SubjectView>
  );
}

/** AVAX of one unit of each token; undefined while unknown. */
export function useTokenValues() {
  const { body } = useAnswer(pathOf('/prices'));
  return { AVAX: 1, WAVAX: 1, pstAVAX: 1, ggAVAX: body?.ggAvaxInAVAX, GGP: body?.ggpInAVAX };
}

/** The dates of claims as a calendar to subscribe to. */
export function CalendarLink({ path }: { path: string }) {
  const { href } = new URL(path, location.href);
  return (
    <p class="quiet">
      <a href={href.replace(/^https?:/, 'webcal:')}>Add the dates to your calendar</a>, which follows changes, or{' '}
      <button type="button" class="plain" data-copy={href}>
        copy its address
      </button>
    </p>
  );
}
