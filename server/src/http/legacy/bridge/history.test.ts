import { describe, expect, test } from 'vitest';
import type { FamilyConfig } from '../../../config/config.ts';
import type { AssetPair } from '../../vault/familyAssets.ts';
import { historyBridge } from './history.ts';

const VAULT = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const FURTHER = '0x1F98431c8aD98523631AE4a59f267346ea31F984';
const assets = { base: { decimals: 6 }, share: { decimals: 18 } } as AssetPair;

function item(at: number, type = 'deposit', vaultAddress = VAULT) {
  return {
    type,
    vaultAddress,
    assets: '1500000',
    shares: '1',
    transactionHash: '0xab',
    blockTimestamp: at,
  };
}

/** Serves the pages in order, and counts the pages that were requested. */
async function present(pages: readonly object[][], limit?: string) {
  let asked = 1;
  const pageAt = (i: number) => ({
    items: pages[i] ?? [],
    nextCursor: i < pages.length - 1 ? String(i + 1) : null,
    incompleteChains: [],
  });
  const items = (await historyBridge.present(pageAt(0), {
    deployment: {
      chain: { chainId: 8453, name: 'base' },
      family: {} as FamilyConfig,
      familyChain: { address: VAULT.toLowerCase() } as FamilyConfig['chains'][number],
      wallet: '',
    },
    request: { path: {}, query: new Map(limit ? [['limit', [limit]]] : []), now: 0 },
    chains: [],
    async askAgain({ cursor }) {
      asked++;
      return pageAt(Number(cursor));
    },
    loadAssets: async () => assets,
  })) as { timestamp: number }[];
  return { items, asked, times: items.map(({ timestamp }) => timestamp) };
}

describe('historyBridge', () => {
  test('default', async () => {
    const { items } = await present([[item(7)]]);
    expect(items).toEqual([
      {
        type: 'deposit',
        timestamp: 7,
        assets: { raw: '1500000', formatted: '1.5' },
        shares: { raw: '1', formatted: '0.000000000000000001' },
        txHash: '0xab',
      },
    ]);
  });

  test('behavior: reads further back to replace items that do not fit the legacy format', async () => {
    const pages = [[item(9, 'cancel'), item(8)], [item(7, 'cancel')], [item(6), item(5)]];
    expect(await present(pages, '2')).toMatchObject({ times: [8, 6], asked: 3 });
    expect(await present(pages, '1')).toMatchObject({ times: [8], asked: 1 });
    expect((await present(pages)).times).toEqual([8, 6, 5]);
  });

  test('behavior: stops reading further back after ten pages', async () => {
    const pages = Array.from({ length: 100 }, (_, at) => [item(at, 'cancel')]);
    expect(await present(pages)).toMatchObject({ times: [], asked: 10 });
  });

  test('behavior: another vault over the same shares has its own history', async () => {
    expect((await present([[item(2, 'deposit', FURTHER), item(1)]])).times).toEqual([1]);
  });
});
