import { Timeline } from './activity.tsx';
import type { Minipool, UptimePoint, Validator } from './bodies.ts';
import { Card } from './card.tsx';
import { Chart } from './chart.tsx';
import { Facts, Status } from './facts.tsx';
import { counted, day, duration, percent } from './format.ts';
import { Identifier } from './identifier.tsx';
import { Amount, Quantity, When } from './quantity.tsx';
import { useHistory, useRange } from './range.tsx';
import { minipoolRemarks, Remarks, uptimeRemarks } from './remarks.tsx';
import { type Loaded, useAnswer } from './sources.ts';
import { isShort, Uptime } from './validators.tsx';
import { End } from './your-minipools.tsx';
import { Yours } from './yours.tsx';

/** All there is of a node: as a validator, as a minipool, and what happened to it. What it is not is said in one line. */
export function YourNode({ node }: { node: string }) {
  const path = encodeURIComponent(node);
  const validator = useAnswer<Validator>(`validators/${path}`);
  const minipool = useAnswer<Minipool>(`minipools/${path}`);
  const uptime = useUptime(path);
  const [isValidator, isMinipool] = [!isNone(validator), !isNone(minipool)];
  const span = isValidator && isMinipool ? 6 : 12;
  return (
    <Yours subject={{ node }} from={[validator, minipool, ...uptime.from]} summary={summaryOf(validator, isMinipool)}>
      {isValidator && <AsValidator validator={validator} span={span} />}
      {isMinipool && <AsMinipool minipool={minipool} span={span} />}
      {isMinipool && (
        <>
          <UptimeHistory
            of={uptime}
            needed={validator.body?.neededUptimePercent}
            ended={isValidator ? undefined : minipool.body?.endTime}
          />
          <Timeline id="your-activity" title="What happened" path={`minipools/${path}/activity`} node={node} />
        </>
      )}
    </Yours>
  );
}

/** Whether the API knows of none. */
function isNone({ body, failure }: Loaded<unknown>): boolean {
  return !body && failure?.status === 404;
}

/** What the node is and is not. */
function summaryOf(validator: Loaded<Validator>, isMinipool: boolean): string {
  const never = isMinipool ? '' : ' It never was a minipool.';
  if (validator.body) return `${wellness(validator.body)}${never}`;
  if (!isNone(validator)) return never.trim();
  return isMinipool
    ? 'It is not validating now.'
    : 'Nothing was found of this node: it is no validator now, and never was a minipool.';
}

/** How a validator is, in a sentence. */
function wellness(validator: Validator): string {
  const validates = `It validates until ${day(validator.endTime)}`;
  const short = isShort(validator);
  if (short === undefined) return `${validates}.`;
  return short
    ? `${validates}, but has been online too little for the reward.`
    : `${validates}, online enough for the reward.`;
}

interface Part {
  span: 6 | 12;
}

function AsValidator({ validator, span }: Part & { validator: Loaded<Validator> }) {
  const { body } = validator;
  return (
    <Card
      id="your-validator"
      title="Validator"
      span={span}
      about="On the primary network"
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
              ['Since', <When at={body.startTime} />],
              ['Stake', <Amount of={body.amountStaked} unit="AVAX" />],
              [
                'Reward ahead',
                <Amount of={body.potentialRewards?.validation} unit="AVAX" />,
                body.minipool && 'operator and liquid stakers',
              ],
              [
                'Delegated',
                <Amount of={body.amountDelegated} unit="AVAX" />,
                counted(body.delegatorCount, 'delegator'),
              ],
              body.delegationFeePercent !== undefined && ['Fee of delegation', percent(body.delegationFeePercent)],
              body.avalancheGoVersion !== undefined && [
                'AvalancheGo',
                body.avalancheGoVersion.replace('avalanchego/', ''),
              ],
            ]}
          />
          <Remarks of={uptimeRemarks(body)} />
        </>
      )}
    </Card>
  );
}

function needed(percents: number | undefined): string {
  return `${percents ?? '–'} % are needed`;
}

function useUptime(path: string) {
  const { range, choice } = useRange('uptime');
  return { range, choice, ...useHistory<UptimePoint>(`validators/${path}/history`, range) };
}

interface UptimeHistoryProps {
  of: ReturnType<typeof useUptime>;
  needed: number | undefined;
  /** When it last validated, if it does no more; 0 or undefined if that is not known. */
  ended: number | undefined;
}

function UptimeHistory({ of: { range, choice, points, from, csv }, needed: least, ended }: UptimeHistoryProps) {
  const isRecorded = points.some(({ uptimePercent }) => uptimePercent !== undefined);
  return (
    <Card id="your-uptime" title="Uptime" about="As recorded" tools={choice} csv={csv} from={from} lines={11}>
      {isRecorded ? (
        <Chart
          key={range}
          title="Uptime of this node"
          x={points.map(({ timestamp }) => timestamp)}
          unit="%"
          {...(least !== undefined && { limit: { label: needed(least), value: least, scaleEnd: 100 } })}
          series={[{ label: 'Uptime', values: points.map(({ uptimePercent }) => uptimePercent) }]}
        />
      ) : (
        <p class="empty">
          {`No uptime is recorded in this time.${ended ? ` It last validated until ${day(ended)}.` : ''}`}
        </p>
      )}
    </Card>
  );
}

/** What the words of the contract stand for. */
const MEANINGS: Record<string, string> = {
  prelaunch: 'it waits for its launch',
  launched: 'its AVAX is on its way to the validator',
  staking: 'it validates',
  withdrawable: 'it has ended',
  finished: 'its owner has withdrawn the AVAX',
  canceled: 'its AVAX was given back before its launch',
  error: 'it did not become a validator',
};

function AsMinipool({ minipool, span }: Part & { minipool: Loaded<Minipool> }) {
  const { body } = minipool;
  return (
    <Card id="your-minipool" title="Minipool" span={span} about="Of the node’s last owner" from={[minipool]} lines={10}>
      {body && (
        <>
          <Facts
            of={[
              ['Status', <Status of={body.status} />, MEANINGS[body.status]],
              ['Owner', <Identifier id={body.owner} kind="address" />],
              Boolean(body.endTime || body.expectedEndTime) && [
                body.endTime ? 'Ended' : 'Planned until',
                <End {...body} />,
              ],
              body.startTime > 0 && ['Cycle began', <When at={body.startTime} />],
              ['Asked for', duration(body.duration), 'in all cycles'],
              [
                'Own AVAX',
                <Amount of={body.avaxNodeOpAmt} unit="AVAX" />,
                <>
                  and <Quantity of={body.avaxLiquidStakerAmt} unit="AVAX" /> of liquid stakers
                </>,
              ],
              ['Earned so far', <Amount of={body.avaxNodeOpLifetimeRewardAmt} unit="AVAX" />, 'the operator’s part'],
              body.txID !== undefined && ['P-Chain transaction', <Identifier id={body.txID} kind="pTx" />],
            ]}
          />
          <Remarks of={minipoolRemarks(body)} />
        </>
      )}
    </Card>
  );
}
