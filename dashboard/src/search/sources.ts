import { type DashboardPools, getHistory, type ListedVault } from '@assay/client';
import { cleanText, shortAddress } from '../format/text.ts';
import { momentText } from '../format/time.ts';
import { client, useVaults } from '../state/api.ts';
import { useChainName } from '../state/chains.ts';
import { type Live, useLive } from '../state/live.ts';
import { readOwnFile } from '../state/ownFile.ts';
import { recentWallets } from '../state/recentWallets.ts';
import { useStore } from '../state/store.ts';
import type { Found } from './rank.ts';

interface DocsEntry {
  readonly title: string;
  readonly page: string;
  readonly url: string;
  readonly text: string;
}

/** Returns all places that are known without another request for each search. */
export function useEntries(): readonly Found[] {
  const vaults = useVaults().data ?? [];
  const chainName = useChainName();
  const pools = useLive<DashboardPools>(
    'search pools',
    (signal) => readOwnFile('/dashboard/pools.json', signal),
    300_000,
  ).data;
  const docs = useLive<readonly DocsEntry[]>(
    'search docs',
    (signal) => readOwnFile('/docs/search.json', signal),
    3_600_000,
  ).data;
  const wallets = useStore(recentWallets);
  return [
    ...vaults.map(familyEntry),
    ...(pools?.pools ?? []).map(({ family, name, chainId, protocolName }): Found => {
      const href = `/family/${encodeURIComponent(family)}#pools`;
      const note = `${cleanText(protocolName, 32)} on ${chainName(chainId)} · pool of ${family}`;
      return { kind: 'Pools', title: cleanText(name), note, href };
    }),
    ...wallets.map(walletEntry),
    ...(docs ?? []).map(({ title, page, url, text }): Found => {
      return { kind: 'Docs', title, note: page === title ? 'Guide' : page, href: `/${url}`, text };
    }),
  ];
}

function familyEntry({ slug, name, assets, chains }: ListedVault<bigint>): Found {
  const asset = assets === null ? '' : ` · ${cleanText(assets.base.symbol, 12)}`;
  return {
    ...{ kind: 'Families', title: cleanText(name), note: `${slug}${asset}` },
    href: `/family/${encodeURIComponent(slug)}`,
    // A vault's address leads to its family.
    text: chains.map(({ vault }) => vault ?? '').join(' '),
  };
}

export function walletEntry(address: string): Found {
  return {
    ...{ kind: 'Wallets', title: shortAddress(address), note: 'value, cost, and history' },
    href: `/wallet/${address}`,
    text: address,
  };
}

/** Returns the history items of a transaction; reads nothing without a hash. */
export function useTransaction(hash: string | undefined): Live<readonly Found[]> {
  const vaults = useVaults().data ?? [];
  const chainName = useChainName();
  return useLive(
    hash === undefined ? undefined : `search transaction ${hash} ${vaults.length}`,
    async (signal) => {
      const { items } = await getHistory(client, { transactionHash: hash!, signal });
      return items.map(({ type, chainId, vaultAddress, user, blockTimestamp }): Found => {
        const slug = vaults.find((one) =>
          one.chains.some((chain) => chain.chainId === chainId && chain.vault === vaultAddress),
        )?.slug;
        return {
          kind: 'Transactions',
          title: `${type} by ${shortAddress(user)}`,
          note: `${slug ?? shortAddress(vaultAddress)} on ${chainName(chainId)}, ${momentText(blockTimestamp * 1000)}`,
          href: `/wallet/${user}`,
        };
      });
    },
    60_000,
  );
}
