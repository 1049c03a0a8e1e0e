import { getLedger } from '@assay/client';
import { useState } from 'preact/hooks';
import { save } from '../components/download.tsx';
import { errorMessage } from '../components/states.tsx';
import { decimalText } from '../format/amount.ts';
import { csvText } from '../format/csv.ts';
import { cleanText } from '../format/text.ts';
import { client, useVaults } from '../state/api.ts';

const HEAD = [
  'date',
  'family',
  'chain id',
  'type',
  'assets',
  'shares',
  'cost',
  'result',
  'unit',
  'USD',
  'transaction',
];

/** Exports every share movement of the wallet with its cost and result, for accounting. */
export function LedgerButton({ wallet }: { readonly wallet: string }) {
  const vaults = useVaults().data ?? [];
  const [said, setSaid] = useState('');
  return (
    <>
      <button type="button" class="quiet" onClick={() => void write()}>
        Ledger CSV
      </button>
      {said !== '' && (
        <span class="wrong" role="alert">
          {said}
        </span>
      )}
    </>
  );

  async function write(): Promise<void> {
    try {
      const entries = await getLedger(client, { walletAddress: wallet, amounts: 'bigint' });
      const rows = entries.map((entry) => {
        const { baseAssetDecimals: decimals, result } = entry;
        const assets = vaults.find(({ slug }) => slug === entry.family)?.assets;
        return [
          entry.at,
          entry.family,
          entry.chainId,
          entry.type,
          decimalText(entry.assets, decimals),
          assets ? decimalText(entry.shares, assets.share.decimals) : null,
          decimalText(entry.cost, decimals),
          result === null ? null : decimalText(result, decimals),
          assets ? cleanText(assets.base.symbol, 24) : null,
          entry.usd,
          entry.transactionHash,
        ];
      });
      save(`ledger-${wallet}.csv`, csvText(HEAD, rows), 'text/csv');
      setSaid('');
    } catch (error) {
      setSaid(cleanText(errorMessage(error), 200));
    }
  }
}
