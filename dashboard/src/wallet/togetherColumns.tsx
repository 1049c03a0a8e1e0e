import type { Performance, StatementFamily } from '@assay/client';
import { FamilyLink } from '../components/familyLink.tsx';
import type { Column } from '../components/table.tsx';
import { Address, Amount, Name, Usd } from '../components/values.tsx';
import { decimalText } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';

type Family = StatementFamily<bigint>;
type Wallet = Performance<bigint>;

const NO_RATIO = 'no share price yet';

/** What all wallets have in a family. Base units of different assets are never added. */
export function familyColumns(year: number): readonly Column<Family>[] {
  return [
    {
      key: 'family',
      label: 'Family',
      value: ({ family }) => family,
      render: ({ family, baseAssetSymbol }) => (
        <span class="who">
          <FamilyLink slug={family} />
          <small>
            <Name text={baseAssetSymbol} most={12} />
          </small>
        </span>
      ),
    },
    {
      key: 'shares',
      label: 'Shares',
      drop: 2,
      numeric: true,
      value: ({ closing, shareDecimals }) => decimalText(closing.shares, shareDecimals),
      unit: ({ shareSymbol }) => cleanText(shareSymbol, 24),
      render: ({ closing, shareDecimals }) => (
        <Amount units={closing.shares} decimals={shareDecimals} />
      ),
    },
    base('value', 'Value', ({ closing }) => closing.value),
    base('cost', 'Cost', ({ closing }) => closing.cost),
    base('unrealized', 'Unrealized', ({ closing }) => closing.unrealized),
    base('realized', `Realized in ${year}`, ({ realized }) => realized, 1),
    {
      key: 'usd',
      label: 'Value USD',
      fileLabel: 'Value in USD',
      numeric: true,
      value: ({ closing }) => closing.valueUsd,
      unit: () => 'USD',
      render: ({ closing }) => <Usd value={closing.valueUsd} why="no USD price" />,
    },
  ];
}

function base(
  key: string,
  label: string,
  units: (family: Family) => bigint | null,
  drop?: 1,
): Column<Family> {
  return {
    ...{ key, label, numeric: true },
    ...(drop !== undefined && { drop }),
    value: (family) => {
      const found = units(family);
      return found === null ? null : decimalText(found, family.baseAssetDecimals);
    },
    unit: ({ baseAssetSymbol }) => cleanText(baseAssetSymbol, 24),
    render: (family) => (
      <Amount
        units={units(family)}
        decimals={family.baseAssetDecimals}
        symbol={family.baseAssetSymbol}
        why={NO_RATIO}
      />
    ),
  };
}

/** Each wallet alone, with a link to the page without it. */
export function walletColumns(without: (wallet: string) => string): readonly Column<Wallet>[] {
  return [
    {
      key: 'wallet',
      label: 'Wallet',
      value: ({ wallet }) => wallet,
      render: ({ wallet }) => (
        <a data-own href={`/wallet/${wallet}`}>
          <Address value={wallet} />
        </a>
      ),
    },
    {
      key: 'families',
      label: 'Families',
      drop: 1,
      value: ({ families }) => families.map(({ family }) => family).join(' '),
      render: ({ families }) =>
        families.length === 0 ? (
          <span class="soft">none</span>
        ) : (
          families.map(({ family }) => family).join(', ')
        ),
    },
    {
      key: 'value',
      label: 'Value USD',
      fileLabel: 'Value',
      numeric: true,
      value: usdOf,
      unit: () => 'USD',
      render: (wallet) => (
        <Usd
          value={usdOf(wallet)}
          why={`no USD price of ${wallet.totals.unpricedFamilies.join(', ')}`}
        />
      ),
    },
    {
      key: 'without',
      label: 'Remove',
      render: ({ wallet }) => (
        <a data-own href={without(wallet)} aria-label={`Remove ${wallet}`}>
          Remove
        </a>
      ),
    },
  ];
}

/** A sum without a part is not the wallet's value. */
function usdOf({ totals }: Wallet): number | null {
  return totals.unpricedFamilies.length > 0 ? null : totals.currentValueUsd;
}
