/** The amounts that an address can withdraw later, and its dates. */

import { useAnnouncedEnd } from './announced-end.tsx';
import type { Account } from './bodies.ts';
import { Card } from './card.tsx';
import { Data } from './data.tsx';
import { withUnit } from './format.ts';
import { CopyButton, Identifier } from './identifier.tsx';
import { Quantity, When } from './quantity.tsx';
import { Table } from './table.tsx';

type Later = NonNullable<Account['availableLater']>[number];

/** The ways out that the contracts do not allow yet, in the order to take them. */
export function LaterList({ of: entries }: { of: readonly Later[] }) {
  return (
    <>
      <h4>Later, in this order</h4>
      <Table
        caption="What can be withdrawn later"
        of={entries}
        keyOf={(entry) => `${entry.what} ${entry.nodeID ?? entry.requestId ?? entry.lockId} ${entry.from}`}
        columns={[
          ['What', ({ title }) => <Data>{title}</Data>, 'wide'],
          ['Amount', ({ amount, token }) => <Quantity of={amount} unit={token} />, 'number'],
          ['From', ({ from }) => (from === undefined ? '–' : <When at={from} />)],
          ['', ({ detail }) => detail, 'wide'],
        ]}
      />
    </>
  );
}

interface DatesProps {
  accounts: readonly Account[];
}

interface DateRow {
  at: number;
  what: string;
  address: string;
}

/** The dates of some addresses, and a calendar of them. */
export function Dates({ accounts }: DatesProps) {
  const end = useAnnouncedEnd();
  const rows = [
    ...accounts.flatMap(listDates),
    ...(end === undefined ? [] : [{ at: end - 1, what: 'Announced end of withdrawals', address: '' }]),
  ].toSorted((a, b) => a.at - b.at);
  const calendar = calendarUrl(accounts.map(({ address }) => address));
  return (
    <Card id="your-dates" title="Dates" about="Deadlines, and the earliest days of what can be withdrawn later">
      <Table
        caption="Dates of the withdrawals, locks and minipools"
        of={rows}
        keyOf={({ at, what, address }) => `${at} ${what} ${address}`}
        columns={[
          ['Date', ({ at }) => <When at={at} />],
          ['What', ({ what }) => what, 'wide'],
          accounts.length > 1 && [
            'Address',
            ({ address }) => (address ? <Identifier id={address} kind="address" /> : ''),
          ],
        ]}
      />
      <p class="quiet">
        <a href={calendar.replace(/^https?:/, 'webcal:')}>Add to your calendar</a>, which follows changes, or copy its
        address
        <CopyButton id={calendar} />
      </p>
    </Card>
  );
}

/** The last days to claim, and the first days of what can be withdrawn later. */
function listDates({ address, availableNow = [], availableLater = [] }: Account): DateRow[] {
  return [...availableNow, ...availableLater].flatMap(({ title, amount, token, from, until, requires }) => {
    const sum = amount === undefined ? '' : `: ${withUnit(Number(amount), token)}`;
    return [
      ...(from === undefined ? [] : [{ at: from, what: `${title}${sum}`, address }]),
      ...(until === undefined || requires ? [] : [{ at: until, what: `Last day: ${title}${sum}`, address }]),
    ];
  });
}

/** The URL of the calendar, to be subscribed to. */
function calendarUrl(addresses: readonly string[]): string {
  const [only = '', ...others] = addresses;
  const path = others.length === 0 ? `accounts/${only}/calendar.ics` : `accounts/calendar.ics?address=${addresses}`;
  return new URL(path, location.href).href;
}
