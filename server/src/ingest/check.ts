import { RpcError } from '../chain/rpcError.ts';
import { createUpstreams } from '../chain/upstreams.ts';
import type { Config } from '../config/config.ts';
import type { VaultRow } from '../store/vaults/vaults.ts';
import { KINDS } from '../vaults/index.ts';
import { readFeedFacts } from './feeds/feedFacts.ts';
import { ADDED_UP, disagreements } from './read/agreement.ts';
import { readStates } from './read/stateReads.ts';
import { NotAVault, readVaultFacts } from './read/vaultFacts.ts';
import { type FamilySource, type Source, sourcesOf } from './sources.ts';

/** What a look at the chains found, in words for the operator. */
export interface CheckReport {
  readonly lines: readonly { readonly ok: boolean; readonly text: string }[];
  readonly ok: boolean;
}

/** Holds the configuration against the chains: contracts answer, decimals agree, the vault is the same everywhere. */
export async function checkChains(config: Config): Promise<CheckReport> {
  const lines: { ok: boolean; text: string }[] = [];
  const facts: { source: FamilySource; row: VaultRow }[] = [];
  await Promise.all(
    config.chains.map(async (chain) => {
      const own = sourcesOf(config).filter((source) => source.chainId === chain.chainId);
      if (chain.rpcUrls.length === 0) {
        lines.push({
          ok: true,
          text: `chain ${chain.chainId} (${chain.name}): no RPC URL, left out`,
        });
        return;
      }
      const upstreams = createUpstreams({ chain });
      try {
        const { client, head } = await upstreams.pick();
        lines.push({
          ok: true,
          text: `chain ${chain.chainId} (${chain.name}): head ${head.number}`,
        });
        for (const source of own) lines.push(await checkSource(source, client, head.number));
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        lines.push({
          ok: false,
          text: `chain ${chain.chainId} (${chain.name}): ${error.safeText}`,
        });
      } finally {
        upstreams.close();
      }
    }),
  );
  lines.push(...familyProblems(facts));
  return { lines, ok: lines.every(({ ok }) => ok) };

  async function checkSource(
    source: Source,
    client: Parameters<typeof readVaultFacts>[0],
    block: number,
  ) {
    const name = `${source.key} on chain ${source.chainId}`;
    try {
      if (source.startBlock > block) {
        return {
          ok: false,
          text: `${name}: startBlock ${source.startBlock} is above the head ${block}`,
        };
      }
      if (source.kind === 'feed') {
        const { decimals } = await readFeedFacts(client, source, block);
        return { ok: true, text: `${name}: price with ${decimals} decimals` };
      }
      const row = await readVaultFacts(client, source, 0, block);
      facts.push({ source, row });
      const [state] = await readStates(client, block, [
        ADAPTERS[source.family.adapter].read({ ...source, ...row }, [], 'full', new Map()),
      ]);
      if (state === null) {
        const advice = 'its state cannot be read; check the adapter, oracle and registry addresses';
        return { ok: false, text: `${name}: ${advice}` };
      }
      const text = `${row.shareSymbol} over ${row.assetSymbol} (${row.assetDecimals} decimals)`;
      return { ok: true, text: `${name}: ${text}` };
    } catch (error) {
      if (error instanceof NotAVault) return { ok: false, text: error.message };
      throw error;
    }
  }
}

/** Facts that must be alike on every chain of a family. */
function familyProblems(facts: readonly { source: FamilySource; row: VaultRow }[]) {
  const problems: { ok: boolean; text: string }[] = [];
  const first = new Map<string, VaultRow>();
  for (const { source, row } of facts) {
    const { slug } = source.family;
    const other = first.get(slug) ?? row;
    first.set(slug, other);
    const texts = disagreements(slug, other, row, [...ADDED_UP, 'authority']);
    problems.push(...texts.map((text) => ({ ok: false, text })));
  }
  return problems;
}
