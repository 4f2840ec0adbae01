/** Names for the types of the API's responses, and of their parts, that this page uses. */

import type { Bodies } from '../../../../functions/index.ts';

export type Metrics = Bodies['/metrics'];
export type MetricsPoint = Bodies['/metrics/history']['points'][number];
export type ApyPoint = Bodies['/metrics/apy/history']['points'][number];
export type PricesPoint = Bodies['/prices/history']['points'][number];

export type Flags = Bodies['/flags'];
export type Contracts = Bodies['/contracts'];

export type Withdrawals = Bodies['/withdrawals/{address}'];
export type Withdrawal = Withdrawals['requests'][number];

export type Estimate = Bodies['/withdrawals/estimate'];
/** A way to turn ggAVAX into AVAX. */
export type Route = Estimate['routes'][number];
export type Service = Withdrawals['service'];

export type Minipool = Bodies['/minipools']['minipools'][number];
export type Staker = Bodies['/stakers/{address}'];
export type Validators = Bodies['/validators'];
export type Validator = Validators['validators'][number];
export type ValidatorAt = Bodies['/validators/{nodeID}'];

export type AddressRewards = Bodies['/rewards/{address}'];
export type Position = Bodies['/ggAvax/{address}'];
export type PoolRedemption = NonNullable<Bodies['/ggAvax']['redemption']>;
export type Redemption = NonNullable<Position['redemption']>;
export type RewardDays = Bodies['/ggAvax/{address}/rewards'];

export type Income = Bodies['/accounts/income'];
export type IncomeTotal = Income['totals'][number];

export type Accounts = Bodies['/accounts'];
export type Account = Accounts['accounts'][number];
export type AccountAt = Bodies['/accounts/{address}'];

export type Activity = Bodies['/activity'];
type Event = Activity['activity'][number];
type FieldOf<Union> = Union extends unknown ? keyof Union : never;
/** An event: the fields that all types have, and those that only some types have. */
export type Entry = Pick<Event, keyof Event> & { [Field in FieldOf<Event>]?: unknown };
/** Blocks that have been indexed, for responses from the event ledger. */
export type Coverage = Activity['coverage'];
