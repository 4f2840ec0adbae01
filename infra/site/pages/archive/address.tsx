import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { Pages } from '../../../archive-site/page-props.ts';
import { Chart } from '../account/chart.tsx';
import { ClaimList } from '../account/claims.tsx';
import { Holdings } from '../account/holdings.tsx';
import { IncomeTable } from '../account/income.tsx';
import { Links } from '../account/links.ts';
import { MinipoolTable } from '../account/minipools.tsx';
import { History, pageText } from './layout.tsx';

type Person = Parameters<Pages['address']>[0]['person'];

/** Holdings, claims and earnings of an address, with its files. */
export function addressPage({ person, ...imprint }: Parameters<Pages['address']>[0]): string {
  const { account, days, events, files, minipools } = person;
  return pageText({
    imprint,
    title: account.address,
    about: `What ${account.address} had in GoGoPool / Hypha on Avalanche, and what it earned each year.`,
    up: '../',
    children: (
      <>
        <h2>What it had</h2>
        <Holdings account={account} />
        <h2 id="claims">What it could take out</h2>
        <p>
          This is the state at the block above. Where a date has passed since, an action may have become possible, or
          may have expired: ask the contract by the view that each row names.{' '}
          <a href="../index.html#get-avax-back">How to send a transaction</a>
        </p>
        <Asked address={account.address}>
          <ClaimList account={account} />
        </Asked>
        {minipools.length > 0 && (
          <>
            <h2>Its minipools</h2>
            <MinipoolTable minipools={minipools} />
          </>
        )}
        <h2 id="income">What it earned</h2>
        <Income {...person} />
        <History events={events} files={files}>
          {days.length > 0 && (
            <Chart title="ggAVAX held" unit="ggAVAX" days={days} figureOf={({ closeGgAvax }) => closeGgAvax} />
          )}
        </History>
      </>
    ),
  });
}

/** The views that tell whether a call still pays, by its function; `$owner` and the call's arguments are inserted. */
const VIEWS: Record<string, string> = {
  'claimUnstake(uint256)': 'canClaimRequest($0)',
  'reclaimExpiredRequest(uint256)': 'getRequestInfo($0)',
  'cancelRequest(uint256)': 'getRequestInfo($0)',
  'withdrawMinipoolFunds(address)': 'getMinipoolByNodeID($0)',
  'cancelMinipool(address)': 'getMinipoolByNodeID($0)',
  'claimAndRestake(uint256)': 'getGGPRewards($owner) of the contract GGP staking',
  'withdrawGGP(uint256)': 'getGGPStake($owner)',
  'withdraw(uint256)': 'balanceOf($owner)',
  'withdraw(uint256,address,address)': 'maxWithdraw($owner)',
  'withdrawTokens(address,uint256)': 'getUserLock($owner, $0)',
  'redeemAVAX(uint256)': 'balanceOf($owner)',
};

function Asked({ address, children }: { address: string; children: ComponentChildren }) {
  const links = useContext(Links);
  const viewOf: Links['viewOf'] = ({ function: signature, arguments: values }) =>
    VIEWS[signature]?.replace('$owner', address).replace('$0', values[0] ?? '');
  return <Links.Provider value={{ ...links, viewOf }}>{children}</Links.Provider>;
}

function Income({ income, rewards, files }: Person) {
  if (!income) return <p>No income is recorded for this address.</p>;
  const taxFiles = files.filter(({ path }) => path.startsWith('tax/'));
  const links = taxFiles.map(({ title, path }) => ({ label: title, href: `../${path}` }));
  return <IncomeTable income={income} rewards={[rewards]} files={[{ name: 'All years', links }]} />;
}
