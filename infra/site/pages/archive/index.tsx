import { DIGITS, type Overview } from '../../../archive-site/page-props.ts';
import { Chart } from '../account/chart.tsx';
import { ContractTable } from '../account/contracts.tsx';
import { MetricFacts } from '../account/metrics.tsx';
import { Table } from '../account/table.tsx';
import { fullDay, short } from '../dashboard/format.ts';
import { pageText, Search } from './layout.tsx';

/** The first page: what this is, search, figures, the way out, the files. */
export function indexPage(overview: Overview): string {
  const { edition, addresses, nodes, guide, contracts, days, metrics } = overview;
  return pageText({
    imprint: overview,
    title: 'GoGoPool / Hypha on Avalanche: the archive',
    about: 'What everybody had and earned in GoGoPool, later Hypha, a liquid staking protocol on Avalanche.',
    up: '',
    children: (
      <>
        <Search />
        <script src="search.js" defer />
        <p>
          There is a page for each of {short(addresses.size)} addresses and {short(nodes)} nodes. Or choose from a list:
          addresses that begin with{' '}
          {DIGITS.map((digit) => [
            <a key={digit} href={`lists/${digit}.html`}>
              0x{digit}
            </a>,
            ', ',
          ])}
          or <a href="lists/nodes.html">all nodes</a>.
        </p>
        <p>
          GoGoPool, later Hypha, was a liquid staking protocol on Avalanche: holders of AVAX got ggAVAX (stAVAX), a
          share in a pool that grew with staking rewards, and node operators ran minipools with GGP as collateral. Its
          operations ended on 15 August 2026, and its website on 31 December 2026. Its contracts remain.
        </p>
        <p>
          This copy was made on {edition.madeOn} by commit <code>{edition.commit}</code> of its data service.{' '}
          <a href="CITATION.cff">How to cite it</a>, and <a href="README.md">how to read and check it</a>.
        </p>
        <h2>The protocol on {fullDay(edition.block.timestamp)}</h2>
        <MetricFacts metrics={metrics} />
        <Chart title="Value of one ggAVAX" unit="AVAX" days={days} figureOf={({ exchange_rate }) => exchange_rate} />
        <Chart title="AVAX in the pool" unit="AVAX" days={days} figureOf={({ total_assets }) => total_assets} />
        <Chart title="Total value locked" unit="USD" days={days} figureOf={({ tvl_usd }) => tvl_usd} />
        <Chart title="GGP staked" unit="GGP" days={days} figureOf={({ total_ggp_staked }) => total_ggp_staked} />
        <div dangerouslySetInnerHTML={{ __html: guide }} />
        <h2 id="contracts">Contracts</h2>
        <ContractTable contracts={contracts} />
        <Files {...overview} />
      </>
    ),
  });
}

function Files({ files }: Overview) {
  return (
    <>
      <h2 id="files">Files</h2>
      <p>
        <a href="datapackage.json">datapackage.json</a> has type, unit and meaning of each column.{' '}
        <code>sha256sum --check --quiet SHA256SUMS</code> shows that a copy is whole. Answers of the API are in{' '}
        <code>api</code>: what was at <code>/metrics</code> is <a href="api/metrics.json">api/metrics.json</a>;{' '}
        <a href="openapi.json">openapi.json</a> explains every field.
      </p>
      <Table
        caption="Files"
        rows={files}
        columns={[
          ['File', ({ path }) => <a href={path}>{path.replace('data/', '')}</a>],
          ['What it is', ({ about }) => about, 'wide'],
          ['Rows', ({ rows }) => rows !== undefined && short(rows), 'number'],
          ['Size', ({ bytes }) => `${(bytes / 1_000).toFixed(0)} kB`, 'number'],
        ]}
      />
    </>
  );
}
