import { titlesOf, useBrowser, type Visit } from './browser.ts';

/** An address that has nothing, and a node that has never existed. */
export const NOBODY = '0x000000000000000000000000000000000000dEaD';
export const NO_NODE = 'NodeID-111111111111111111116DBWJs';

/** The dashboard's text for a node with too little uptime that can still reach the required uptime. */
export const TOO_LITTLE =
  /^No reward is paid unless uptime is at least 90% by the end\. Still reachable: up to 9\d(\.\d\d?)?% if it is online from now on\. Without a reward, some of the owner’s GGP is slashed\.$/;

/** The dashboard's text for a minipool that holds no AVAX any more. */
export const MATCHED = /was matched by [\d,.]+ AVAX from liquid stakers/;

// biome-ignore lint/suspicious/noExplicitAny: a body
export type Body = any;

/** A browser, and people of the devnet who could look at the dashboard in it. */
export interface Visitors {
  visit: Visit;
  /** A holder of ggAVAX without a stake. */
  holder(): Promise<{ address: string; position: Body }>;
  /** The node operator with the most AVAX staked: the response of `/stakers/{address}`. */
  operator(): Promise<Body>;
  /** The figure with this name as shown, and its full value. */
  fact(card: string, name: string): Promise<{ shown: string; full: string }>;
}

export function useVisitors(): Visitors {
  const visit = useBrowser();
  return {
    visit,
    // Found through the queue, in which only holders have requests.
    async holder() {
      const { requests } = await visit.json('/withdrawals');
      for (const { requester, status } of requests) {
        const position = await visit.json(`/ggAvax/${requester}`);
        if (status === 'pending' && Number(position.ggAvax) > 1_000) return { address: requester, position };
      }
      throw new Error('nobody in the queue has ggAVAX');
    },
    async operator() {
      const { stakers } = await visit.json('/stakers?sort=avaxStaked&limit=1');
      return visit.json(`/stakers/${stakers[0].stakerAddr}`);
    },
    async fact(card, name) {
      const row = visit.page.locator(`${card} .facts > div`, { has: visit.page.getByText(name, { exact: true }) });
      const value = row.locator('dd').first();
      const shown = (await value.textContent()) ?? '';
      const [full = shown] = await titlesOf(value.locator('[title]'));
      return { shown, full: full.replace(' (click to copy)', '') };
    },
  };
}
