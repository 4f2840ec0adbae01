import { hash } from 'node:crypto';
import {
  type AppConfigDataClient,
  GetLatestConfigurationCommand,
  StartConfigurationSessionCommand,
} from '@aws-sdk/client-appconfigdata';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { parseFlags, type VersionedFlags } from './document.ts';

/** Less than the freshness of the flags, jitter included, so that each refresh may ask. */
const POLL_SECONDS = 30;
const HASH_LENGTH = 12;

/** A feature-flag profile of AWS AppConfig, read through a configuration session. */
export class AppConfigFlags {
  readonly #client: AppConfigDataClient;
  readonly #source: string;
  readonly #clock: Clock;
  /** Each poll takes the token that the one before has returned; a failed poll uses it up. */
  #token: string | undefined;
  #nextPollAt = 0;
  /** The document that the session returned last, good or broken: its answers are empty until there is a new one. */
  #document: { text: string; label: string | undefined } | undefined;
  #lastGood: VersionedFlags | undefined;

  /** `source` is `application/environment/profile`, by ids or names. */
  constructor(client: AppConfigDataClient, source: string, clock: Clock = systemClock) {
    this.#client = client;
    this.#source = source;
    this.#clock = clock;
  }

  /** The last good document of this process. */
  get lastGood(): VersionedFlags | undefined {
    return this.#lastGood;
  }

  /**
   * The deployed flags; AppConfig is asked at most as often as it allows. Throws if it does not answer, or if what is
   * deployed is not a flag document.
   */
  async latest(): Promise<VersionedFlags> {
    if (this.#clock.now() >= this.#nextPollAt) await this.#poll();
    if (!this.#document) throw new Error('AppConfig has given no document yet');
    const { text, label } = this.#document;
    this.#lastGood = { version: label || contentVersion(text), flags: parseFlags(text) };
    return this.#lastGood;
  }

  async #poll(): Promise<void> {
    this.#pauseFor(POLL_SECONDS);
    const token = this.#token ?? (await this.#startSession());
    this.#token = undefined;
    const answer = await this.#client.send(new GetLatestConfigurationCommand({ ConfigurationToken: token }));
    this.#token = answer.NextPollConfigurationToken;
    this.#pauseFor(answer.NextPollIntervalInSeconds ?? POLL_SECONDS);
    if (answer.Configuration?.length) {
      this.#document = { text: Buffer.from(answer.Configuration).toString(), label: answer.VersionLabel };
    }
  }

  async #startSession(): Promise<string | undefined> {
    const [ApplicationIdentifier, EnvironmentIdentifier, ConfigurationProfileIdentifier] = this.#source.split('/');
    const { InitialConfigurationToken } = await this.#client.send(
      new StartConfigurationSessionCommand({
        ApplicationIdentifier,
        EnvironmentIdentifier,
        ConfigurationProfileIdentifier,
        RequiredMinimumPollIntervalInSeconds: POLL_SECONDS,
      }),
    );
    return InitialConfigurationToken;
  }

  #pauseFor(seconds: number): void {
    this.#nextPollAt = this.#clock.now() + seconds * 1_000;
  }
}

/** A version may have no label: its content then identifies it. */
function contentVersion(text: string): string {
  return hash('sha256', text, 'hex').slice(0, HASH_LENGTH);
}
