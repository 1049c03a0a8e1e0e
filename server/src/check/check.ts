import type { Header } from '../chain/chainClient.ts';
import { RpcError } from '../chain/rpcError.ts';
import { createUpstreams } from '../chain/upstreams.ts';
import type { ChainConfig, Config } from '../config/config.ts';
import type { Look } from '../vaults/recognize/readContract.ts';
import { type CheckedVault, checkAgreement } from './agreement.ts';
import { checkContracts } from './checkContracts.ts';
import { checkFeed } from './checkFeed.ts';
import { checkOracle } from './checkOracle.ts';
import { checkKeys, checkPayments, noChain } from './checkPayments.ts';
import { checkPools } from './checkPools.ts';
import { checkStateDepth } from './checkStateDepth.ts';
import { checkCurrencies, checkUnreadAssets, checkUnreadShares } from './checkTokens.ts';
import { checkVault } from './checkVault.ts';
import { type ConfigLocation, getConfigLocations } from './configLocation.ts';
import { type CheckLine, pass } from './line.ts';
import { checkRated } from './rated/checkRated.ts';

/** The findings, as text for the operator. */
export interface CheckReport {
  readonly lines: readonly CheckLine[];
  readonly ok: boolean;
}

/** Compares the configuration with the contracts that it names. */
export async function checkChains(config: Config): Promise<CheckReport> {
  const checked: CheckedVault[] = [];
  const locations = getConfigLocations(config);
  const perChain = await Promise.all(config.chains.map(checkChain));
  // Chains respond in any order; the report has that of the file.
  checked.sort((a, b) => locations.indexOf(a.location) - locations.indexOf(b.location));
  const lines = [
    ...perChain.flat(),
    ...checkAgreement(checked),
    ...checkUnreadAssets(config),
    ...checkCurrencies(config),
    ...checkUnreadShares(config, checked),
  ];
  return { lines, ok: lines.every(({ ok }) => ok) };

  async function checkChain(chain: ChainConfig): Promise<CheckLine[]> {
    const name = `chain ${chain.chainId} (${chain.name})`;
    const payments = config.payments?.chainId === chain.chainId ? config.payments : undefined;
    if (chain.rpcUrls.length === 0) {
      return payments ? [noChain(payments)] : [pass(`${name}: no RPC URL, skipped`)];
    }
    const lines: CheckLine[] = [];
    const upstreams = createUpstreams({ chain });
    try {
      const { client, head } = await upstreams.pick();
      lines.push(pass(`${name}: head ${head.number}`));
      const look = { client, block: head.number };
      const own = locations.filter((one) => one.chain.chainId === chain.chainId);
      for (const location of own) lines.push(...(await checkLocation(look, location)));
      lines.push(...(await checkStateDepth(chain, own, head.number)));
      lines.push(...(await checkFeeds(look, head, chain.chainId)));
      if (payments !== undefined) {
        lines.push(...(await checkPayments(look, payments)));
        lines.push(...(await checkKeys(look, payments, chain.multicall)));
      }
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      lines.push({ ok: false, text: `${name}: ${error.safeText}` });
    } finally {
      upstreams.close();
    }
    return lines;
  }

  async function checkLocation(look: Look, location: ConfigLocation): Promise<CheckLine[]> {
    if (location.chain.rated !== undefined) {
      const { lines, vault } = await checkRated(look, location);
      if (vault !== null) checked.push({ location, vault });
      return lines;
    }
    const { lines, vault } = await checkVault(look, location);
    if (vault === null) return lines;
    checked.push({ location, vault });
    return [
      ...lines,
      ...(await checkOracle(look, location, vault)),
      ...(await checkContracts(look, location, vault)),
      ...(await checkPools(look, location, vault)),
    ];
  }

  async function checkFeeds(look: Look, head: Header, chainId: number): Promise<CheckLine[]> {
    const { feeds, maxAgeSeconds } = config.prices;
    const lines: CheckLine[] = [];
    for (const feed of feeds) {
      if (feed.kind !== 'aggregator' || feed.chainId !== chainId) continue;
      lines.push(await checkFeed(look, feed, { head, maxAgeSeconds }));
    }
    return lines;
  }
}
