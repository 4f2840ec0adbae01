import { Timeline } from './activity.tsx';
import { useAnnouncedEnd } from './announced-end.tsx';
import type { Minipool, ValidatorAt } from './bodies.ts';
import { Card } from './card.tsx';
import { Facts, Status } from './facts.tsx';
import { counted, day, duration, percent } from './format.ts';
import { Hex, Identifier } from './identifier.tsx';
import { pathOf } from './paths.ts';
import { Amount, Quantity, When } from './quantity.tsx';
import { HOLDS_AVAX, MEANINGS, minipoolRemarks, Remarks, reachText, sumPayout, uptimeRemarks } from './remarks.tsx';
import { type Loaded, useAnswer } from './sources.ts';
import { isReachable, isShort, Uptime } from './validators.tsx';
import { End } from './your-minipools.tsx';
import { Yours } from './yours.tsx';

/** The view of a node: as a validator and as a minipool, with its activity. */
export function YourNode({ node }: { node: string }) {
  const validator = useAnswer(pathOf('/validators/{nodeID}', node));
  const minipool = useAnswer(pathOf('/minipools/{nodeID}', node));
  const [isValidator, isMinipool] = [!isNone(validator), !isNone(minipool)];
  const span = isValidator && isMinipool ? 6 : 12;
  return (
    <Yours subject={{ node }} from={[validator, minipool]} summary={summarize(validator, isMinipool)}>
      {isValidator && <AsValidator validator={validator} span={span} />}
      {isMinipool && <AsMinipool minipool={minipool} span={span} />}
      {isMinipool && (
        <Timeline
          id="your-activity"
          title="Node activity"
          path={pathOf('/minipools/{nodeID}/activity', node)}
          node={node}
        />
      )}
    </Yours>
  );
}

/** True if the API responded with a 404. */
function isNone({ body, failure }: Loaded<unknown>): boolean {
  return !body && failure?.status === 404;
}

/** Status of the node, in sentences: validating or not, and ever a minipool or not. */
function summarize(validator: Loaded<ValidatorAt>, isMinipool: boolean): string {
  const never = isMinipool ? '' : ' It has never been a minipool.';
  if (validator.body) return `${wellness(validator.body)}${never}`;
  if (!isNone(validator)) return never.trim();
  return isMinipool
    ? 'This node is not validating.'
    : 'Nothing was found for this node: it is not validating and has never been a minipool.';
}

/** Status of a validator, as a sentence: the end of its validation, and if its uptime is, or can get, high enough. */
function wellness(validator: ValidatorAt): string {
  const validates = `This node validates until ${day(validator.endTime)}`;
  const short = isShort(validator);
  if (short === undefined) return `${validates}.`;
  if (!short) return `${validates}, and its uptime is high enough for the reward.`;
  return isReachable(validator, validator.asOf)
    ? `${validates}, but its uptime is too low for the reward so far. ${reachText(validator, validator.asOf)}`
    : `${validates}, but its uptime can no longer get high enough for the reward.`;
}

interface Part {
  span: 6 | 12;
}

function AsValidator({ validator, span }: Part & { validator: Loaded<ValidatorAt> }) {
  const { body } = validator;
  return (
    <Card
      id="your-validator"
      title="Validator"
      span={span}
      about="On Avalanche’s primary network"
      from={[validator]}
      lines={10}
    >
      {body && (
        <>
          <Facts
            of={[
              ['Uptime', <Uptime {...body} />, `${needed(body.neededUptimePercent)} for the reward`],
              // A minipool validates in cycles.
              [body.minipool ? 'Cycle ends' : 'Ends', <When at={body.endTime} />, <When at={body.endTime} relative />],
              ['Validating since', <When at={body.startTime} />],
              ['Stake', <Amount of={body.amountStaked} unit="AVAX" />],
              [
                'Potential reward',
                <Amount of={body.potentialRewards.validation} unit="AVAX" />,
                body.minipool && 'shared with liquid stakers',
              ],
              [
                'Delegated',
                <Amount of={body.amountDelegated} unit="AVAX" />,
                counted(body.delegatorCount, 'delegator'),
              ],
              body.delegationFeePercent !== undefined && ['Delegation fee', percent(body.delegationFeePercent)],
              body.avalancheGoVersion !== undefined && [
                'AvalancheGo',
                body.avalancheGoVersion.replace('avalanchego/', ''),
              ],
            ]}
          />
          <Remarks of={uptimeRemarks(body, body.asOf)} />
        </>
      )}
    </Card>
  );
}

function needed(percents: number): string {
  return `${percents}% needed`;
}

function AsMinipool({ minipool, span }: Part & { minipool: Loaded<Minipool> }) {
  const { body } = minipool;
  const end = useAnnouncedEnd();
  return (
    <Card
      id="your-minipool"
      title="Minipool"
      span={span}
      about="The most recent one on this node"
      from={[minipool]}
      lines={10}
    >
      {body && (
        <>
          <Facts
            of={[
              ['Status', <Status of={body.status} />, MEANINGS[body.status]],
              ['Owner', <Identifier id={body.owner} kind="address" />],
              Boolean(body.endTime || body.expectedEndTime) && [
                body.endTime ? 'Ended' : 'Planned end',
                <End {...body} />,
                !body.endTime && 'of the last cycle',
              ],
              sumPayout(body) > 0 && ['Node ID in hex', <Hex id={body.nodeIDHex} />, 'to withdraw its funds'],
              body.startTime > 0 && ['Cycle started', <When at={body.startTime} />],
              ['Planned duration', duration(body.duration), 'over all cycles'],
              [
                'Operator’s AVAX',
                <Amount of={body.avaxNodeOpAmt} unit="AVAX" />,
                <>
                  {HOLDS_AVAX.includes(body.status) ? 'plus ' : 'was matched by '}
                  <Quantity of={body.avaxLiquidStakerAmt} unit="AVAX" /> from liquid stakers
                </>,
              ],
              ['Earned so far', <Amount of={body.avaxNodeOpLifetimeRewardAmt} unit="AVAX" />, 'the operator’s share'],
              body.txID !== undefined && ['P-Chain transaction', <Identifier id={body.txID} kind="pTx" />],
            ]}
          />
          <Remarks of={minipoolRemarks(body, end)} />
        </>
      )}
    </Card>
  );
}
