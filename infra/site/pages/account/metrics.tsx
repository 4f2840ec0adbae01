import type { Bodies } from '../../../../functions/index.ts';
import { Facts, Quantity } from './quantity.tsx';

/** Key figures of the protocol. */
export function MetricFacts({ metrics }: { metrics: Bodies['/metrics'] }) {
  const { minipools } = metrics;
  return (
    <Facts
      facts={[
        [
          'Total value locked',
          <Quantity amount={metrics.tvl_usd} unit="USD" />,
          <Quantity amount={metrics.tvl_avax} unit="AVAX" />,
        ],
        ['In the ggAVAX pool', <Quantity amount={metrics.total_assets} unit="AVAX" />],
        ['1 ggAVAX (stAVAX)', <Quantity amount={metrics.exchange_rate} unit="AVAX" />],
        ['ggAVAX yield', <Quantity amount={metrics.ggavax_apy} unit="%" />, 'APY, after fees'],
        ['AVAX price', <Quantity amount={metrics.avax_price_in_usd} unit="USD" />],
        ['GGP price', <Quantity amount={metrics.ggp_price_in_usd} unit="USD" />],
        ['GGP staked', <Quantity amount={metrics.total_ggp_staked} unit="GGP" />],
        ['Minipools staking', minipools?.staking ?? '–', minipoolsText(minipools)],
      ]}
    />
  );
}

/** The numbers of other minipools, by status. */
function minipoolsText({ staking: _, ...others }: Record<string, number> = {}): string {
  const found = Object.entries(others).filter(([, count]) => count > 0);
  return found.map(([status, count]) => `${count} ${status}`).join(', ');
}
