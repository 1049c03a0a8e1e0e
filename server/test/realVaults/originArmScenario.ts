import { parse, stringify } from 'yaml';
import type { Address } from '../../src/domain/hex.ts';
import { createBook } from './book.ts';
import { type Contract, createLocalChain, type LocalChain } from './chain.ts';
import { npmCompiled } from './contracts.ts';
import { createPlainActs } from './plainActs.ts';
import { createWallets, OWNER, startOfPlay } from './plainScenario.ts';
import { configOf, type Family } from './scenario.ts';
import type { Served } from './serve.ts';
import type { Played } from './testScenario.ts';

const ETHER = 10n ** 18n;
const ALL = 2n ** 256n - 1n;

export interface ArmPlayed extends Played {
  readonly chain: LocalChain;
  /** `arm` has Origin's interface; `limited` also has ERC-4626's limits. */
  readonly arms: Readonly<Record<'arm' | 'limited', Contract>>;
}

/** Plays a plain vault and two ARMs on one chain. The vault is served; the ARMs cannot be. */
export async function playArms(days = 2): Promise<ArmPlayed> {
  const chain = await createLocalChain({ chainId: 31_337, startTime: startOfPlay(days) });
  const book = createBook();
  const asset = await chain.deploy(OWNER, await npmCompiled('Token'), ['WETH', 18]);
  const vault = await chain.deploy(OWNER, await npmCompiled('OffsetVault'), [asset.address, 0]);
  const startBlock = chain.tip.number;
  const arms = {
    arm: await chain.deploy(OWNER, await npmCompiled('OriginArm'), [asset.address]),
    limited: await chain.deploy(OWNER, await npmCompiled('LimitedArm'), [asset.address]),
  };
  const [alice, bob] = createWallets(2) as [Address, Address];
  const acts = createPlainActs({ chain, family: 'plain', vault, asset, book });
  for (const wallet of [alice, bob]) await acts.fund(wallet, 1_000n * ETHER);
  await acts.deposit(alice, 30n * ETHER);
  for (const arm of Object.values(arms)) {
    await startArm(chain, asset, arm, [alice, bob]);
    await chain.send(alice, arm, 'deposit', [100n * ETHER, alice]);
    await chain.send(bob, arm, 'deposit', [50n * ETHER, bob]);
    chain.advance(3_600);
    await chain.send(OWNER, asset, 'mint', [arm.address, ETHER]);
    await chain.send(alice, arm, 'requestRedeem', [40n * ETHER]);
    chain.advance(3_600);
    await chain.send(alice, arm, 'claimRedeem', [0n]);
  }
  while (chain.tip.time < startOfPlay(days) + days * 86_400) {
    chain.advance(8 * 3_600);
    await chain.mine();
  }
  const place = { chain, vaults: [vault.address], share: vault.address, asset: asset.address };
  const kept = { startBlock, custody: [vault.address], virtualShares: 1n };
  const family: Family = { slug: 'plain', kind: 'erc4626', places: [{ ...place, ...kept }] };
  return {
    chain,
    arms,
    families: [family],
    book,
    halted: true,
    more: wrongAbout,
    async goOn() {
      chain.advance(600);
      await acts.deposit(bob, 3n * ETHER + 1n);
      for (const arm of Object.values(arms)) await chain.send(bob, arm, 'deposit', [ETHER, bob]);
      await acts.redeem(alice, (await acts.balance(alice)) / 9n);
    },
  };

  /** Checks that nothing of an ARM is served, and that status gives the reason. */
  async function wrongAbout(served: Served): Promise<string[]> {
    const status = await served.get<Status>('/v1/status');
    const reported = status.chains.flatMap(({ families }) => families);
    const found: string[] = [];
    for (const [slug, reason] of Object.entries(REASONS)) {
      const row = reported.find((one) => one.family === slug);
      if (row?.state !== 'halted' || !reason.test(row.reason ?? '')) {
        found.push(`${slug}: status says ${row?.state}, ${row?.reason}`);
      }
      const { items } = await served.get<{ items: unknown[] }>(`/v1/history?family=${slug}`);
      const { families } = await served.get<{ families: { family: string }[] }>(
        `/v1/performance/${bob}?family=${slug}`,
      );
      const has = families.some((one) => one.family === slug);
      if (items.length > 0 || has) found.push(`${slug}: ${items.length} items, position ${has}`);
    }
    return found;
  }
}

interface Status {
  readonly chains: readonly {
    readonly families: readonly { family: string; state: string; reason: string | null }[];
  }[];
}

const REASONS = {
  arm: /has none of maxDeposit\(\).* remove it from the configuration$/,
  limited: /without a Deposit event of ERC-4626.* remove the family from the configuration$/,
};

export async function startArm(
  chain: LocalChain,
  asset: Contract,
  arm: Contract,
  wallets: readonly Address[],
): Promise<void> {
  await chain.send(OWNER, asset, 'mint', [OWNER, ETHER]);
  for (const wallet of [OWNER, ...wallets]) {
    await chain.send(wallet, asset, 'approve', [arm.address, ALL]);
  }
  await chain.send(OWNER, arm, 'start', []);
}

/** Returns the scenario's configuration plus families over ARMs, as configured by hand. */
export function configWithArms(played: ArmPlayed): string {
  const file = parse(configOf(played)) as { families: object[] };
  for (const [slug, { address }] of Object.entries(played.arms)) {
    file.families.push({
      ...{ slug, name: slug, address, adapter: 'erc4626' },
      base: { marketDataId: `${slug}-base` },
      share: { marketDataId: slug },
      chains: [{ chain: played.chain.chainId, role: 'settlement', startBlock: 1 }],
    });
  }
  return stringify(file);
}
