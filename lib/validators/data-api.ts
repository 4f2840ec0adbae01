/**
 * The validator index of Ava Labs' Data API: `GET /v1/networks/{network}/validators`. Its schema drifts, so details may be
 * missing. The index is refused if one record lacks an essential (id, stake, times): totals would be silently wrong.
 */

import { ClientFailover, type FailoverOptions } from '../chain/upstream/failover.ts';
import { reportAttempt, UpstreamFailure } from '../chain/upstream/failures.ts';
import { sendRequest } from '../chain/upstream/http.ts';
import type { Provider } from '../chain/upstream/provider.ts';
import type { Context } from '../runtime/context.ts';
import * as fields from './fields.ts';
import type { Validator } from './validator.ts';

const PRIMARY_NETWORK = '11111111111111111111111111111111LpoYY';
/** Page size: the API's maximum. */
const PAGE_SIZE = 100;
/** Pause in ms before a failed page is requested again. */
const RETRY_PAUSE_MS = 250;

/** Delegated nAVAX; absent or empty means 0. A required field, because the total is computed from it. */
const delegated = (field: unknown) =>
  field === undefined || field === null || field === '' ? 0n : fields.nAVAX(field);

type Page = ReturnType<typeof toPage>;

interface DataApiOptions extends FailoverOptions {
  network: string;
  /** API key. It raises the rate limit, and is sent as a header, so that no URL holds it. */
  apiKey?: string | undefined;
}

/** Outcomes after which a retry at the same provider may succeed. */
const TRANSIENT = /^(http_429|http_5\d\d|network|timeout)$/;

export class DataApi {
  readonly failover: ClientFailover;
  readonly #options: DataApiOptions;

  /** With an empty `url` there is no index, and every read fails at once. `attemptMs` limits one page. */
  constructor(url: string, options: DataApiOptions) {
    this.#options = options;
    // To the failover, reading the whole index is one attempt: pages of different providers must not be mixed.
    this.failover = new ClientFailover('data-api', url ? [url] : [], { ...options, attemptMs: options.budgetMs });
  }

  /** All active validators of the primary network, or UPSTREAM_UNAVAILABLE if any page could not be read. */
  activeValidators(): Promise<Validator[]> {
    return this.failover.request((provider, timeoutMs) =>
      this.#allPages(provider, this.#options.clock.now() + timeoutMs),
    );
  }

  /** True if the index answers its smallest page. False if there is no index. */
  async ping(timeoutMs: number): Promise<boolean> {
    const [provider] = this.failover.providers;
    if (!provider) return false;
    const page = this.#page(this.#pageUrl(provider, '', 1), this.#options.clock.now() + timeoutMs);
    return page.then(Boolean, () => false);
  }

  /** Reads all pages one after the other: each has the token of the next page. */
  async #allPages(provider: Provider, deadline: number): Promise<Validator[]> {
    const validators = new Map<string, Validator>();
    const tokens = new Set<string>();
    let token = '';
    do {
      const page = await this.#page(this.#pageUrl(provider, token), deadline);
      for (const validator of page.validators) {
        // A validator that starts meanwhile pushes a known one onto the next page (newest first): keep the first copy.
        if (!validators.has(validator.nodeID)) validators.set(validator.nodeID, validator);
      }
      token = page.nextToken;
      if (tokens.has(token)) throw new UpstreamFailure('page_loop');
      tokens.add(token);
    } while (token);
    // The primary network cannot be without validators, so an empty index is broken.
    if (validators.size === 0) throw new UpstreamFailure('empty');
    return [...validators.values()];
  }

  #pageUrl({ url }: Provider, token: string, pageSize = PAGE_SIZE): string {
    const query = new URLSearchParams({
      subnetId: PRIMARY_NETWORK,
      validationStatus: 'active',
      pageSize: String(pageSize),
      ...(token && { pageToken: token }),
    });
    return `${url.replace(/\/$/, '')}/v1/networks/${this.#options.network}/validators?${query}`;
  }

  /** Reads a page. Retries once after a transient failure, if time allows. */
  async #page(url: string, deadline: number): Promise<Page> {
    try {
      return await this.#attempt(url, deadline);
    } catch (error) {
      const isTransient = error instanceof UpstreamFailure && TRANSIENT.test(error.outcome);
      if (!isTransient || this.#options.clock.now() + RETRY_PAUSE_MS >= deadline) throw error;
      await this.#options.clock.wait(RETRY_PAUSE_MS);
      return this.#attempt(url, deadline);
    }
  }

  async #attempt(url: string, deadline: number): Promise<Page> {
    const { apiKey, attemptMs } = this.#options;
    const { status, text } = await sendRequest({
      url,
      headers: apiKey ? { 'x-glacier-api-key': apiKey } : {},
      timeoutMs: Math.max(1, Math.min(attemptMs, deadline - this.#options.clock.now())),
    });
    if (status !== 200) throw new UpstreamFailure(`http_${status}`);
    try {
      return toPage(JSON.parse(text));
    } catch (cause) {
      throw cause instanceof UpstreamFailure ? cause : new UpstreamFailure('not_json', { cause });
    }
  }
}

function toPage(body: unknown) {
  const { nextPageToken: nextToken = null } = fields.part(body);
  // A required field: an unreadable token would cut the index short.
  if (nextToken !== null && typeof nextToken !== 'string') throw fields.malformed('nextPageToken', nextToken);
  // Empty on the last page.
  return { validators: fields.validatorsIn(body, toValidator), nextToken: nextToken ?? '' };
}

function toValidator(record: fields.Fields): Validator {
  const reward = fields.part(record.potentialRewards);
  return {
    nodeID: fields.essential(record, 'nodeId', fields.nodeID),
    txID: fields.essential(record, 'txHash', fields.someText),
    startTime: fields.essential(record, 'startTimestamp', fields.count),
    endTime: fields.essential(record, 'endTimestamp', fields.count),
    amountStaked: fields.essential(record, 'amountStaked', fields.nAVAX),
    amountDelegated: fields.essential(record, 'amountDelegated', delegated),
    delegatorCount: fields.count(record.delegatorCount),
    delegationFeePercent: fields.percentText(record.delegationFee),
    uptimePercent: fields.percent(record.uptimePerformance),
    validationReward: fields.nAVAX(reward.validationRewardAmount),
    delegationReward: fields.nAVAX(reward.delegationRewardAmount),
    rewardAddresses: fields.pChainAddresses(reward.rewardAddresses),
    avalancheGoVersion: fields.someText(record.avalancheGoVersion),
    blsPublicKey: fields.someText(fields.part(record.blsCredentials).publicKey),
  };
}

export interface DataApiContext extends Context {
  dataApi: DataApi;
}

export function openDataApi({ config, telemetry, clock }: Context): DataApi {
  return new DataApi(config.dataApiUrl, {
    network: config.network.dataApiNetwork,
    apiKey: config.dataApiKey,
    // For a page and for all pages: then there is still time to read the P-Chain.
    attemptMs: 2_000,
    budgetMs: 5_000,
    onAttempt: reportAttempt(telemetry, clock),
    clock,
  });
}
