import { cleanText } from '../format/text.ts';
import { useChainName } from '../state/chains.ts';
import { setQuery, usePlace } from '../state/url.ts';
import type { Family } from './listedFamily.ts';

export interface Filter {
  readonly q: string;
  readonly chain: string;
  readonly asset: string;
}

export function useFilter(): Filter {
  const { query } = usePlace();
  const of = (name: string) => query.get(name) ?? '';
  return { q: of('q'), chain: of('chain'), asset: of('asset') };
}

export function matches({ slug, name, assets, chains }: Family, { q, chain, asset }: Filter) {
  const words = `${slug} ${name} ${assets?.base.symbol ?? ''}`.toLowerCase();
  if (!words.includes(q.trim().toLowerCase())) return false;
  if (chain !== '' && !chains.some(({ chainId }) => String(chainId) === chain)) return false;
  return asset === '' || assets?.base.symbol === asset;
}

export function Filters({ families, filter }: { families: readonly Family[]; filter: Filter }) {
  const nameOf = useChainName();
  const chains = [...new Set(families.flatMap((one) => one.chains.map(({ chainId }) => chainId)))];
  const assets = [...new Set(families.flatMap(({ assets }) => assets?.base.symbol ?? []))].sort();
  return (
    <search class="filters">
      <label>
        <span class="sr">Name or asset</span>
        <input
          type="search"
          placeholder="Name or asset"
          value={filter.q}
          onInput={(event) => setQuery({ q: event.currentTarget.value })}
        />
      </label>
      <label>
        <span class="sr">Chain</span>
        <select
          value={filter.chain}
          onChange={(event) => setQuery({ chain: event.currentTarget.value })}
        >
          <option value="">All chains</option>
          {chains.map((chainId) => (
            <option key={chainId} value={String(chainId)}>
              {nameOf(chainId)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="sr">Asset</span>
        <select
          value={filter.asset}
          onChange={(event) => setQuery({ asset: event.currentTarget.value })}
        >
          <option value="">All assets</option>
          {assets.map((symbol) => (
            <option key={symbol} value={symbol}>
              {cleanText(symbol, 24)}
            </option>
          ))}
        </select>
      </label>
    </search>
  );
}
