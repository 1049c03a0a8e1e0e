import { type Address, type Hex, lower } from '../../src/domain/hex.ts';
import type { Book } from './book.ts';
import { UNLIMITED } from './cast.ts';
import type { LocalChain } from './chain.ts';
import { npmCompiled } from './contracts.ts';
import { createPlainActs, type PlainActs } from './plainActs.ts';
import { OWNER } from './plainScenario.ts';
import type { Family } from './scenario.ts';

/** Actions of users and the owner on Ethena's vault. */
export interface EthenaActs extends PlainActs {
  /** Redeems into the silo, from which the wallet withdraws later. */
  coolDown(wallet: Address, shares: bigint): Promise<void>;
  /** Withdraws cooled-down assets from the silo. The vault emits no event for it. */
  unstake(wallet: Address, receiver?: Address): Promise<void>;
  canUnstake(wallet: Address): Promise<boolean>;
  /** Pays rewards that vest from now on, unless earlier rewards are still vesting. */
  reward(assets: bigint): Promise<void>;
  setCooldown(seconds: number): Promise<void>;
}

export async function openEthena(
  chain: LocalChain,
  book: Book,
): Promise<{ family: Family; acts: EthenaActs }> {
  const asset = await chain.deploy(OWNER, await npmCompiled('Token'), ['USDe', 18]);
  const vault = await chain.deploy(OWNER, await npmCompiled('StakedUSDeV2'), [asset.address]);
  const startBlock = chain.tip.number;
  const silo = lower(await chain.read<Hex>(vault, 'silo'));
  await chain.send(OWNER, asset, 'mint', [OWNER, 10n ** 24n]);
  await chain.send(OWNER, asset, 'approve', [vault.address, UNLIMITED]);
  const slug = 'ethena';
  const held = (block: number) => chain.read(asset, 'balanceOf', [silo], block);

  const acts: EthenaActs = {
    ...createPlainActs({ chain, family: slug, vault, asset, book }),
    async coolDown(wallet, shares) {
      const { block, time, hash } = await chain.send(wallet, vault, 'cooldownShares', [shares]);
      const assets = (await held(block)) - (await held(block - 1));
      const placed = { family: slug, chainId: chain.chainId, block, time };
      const paid = { assets, shares };
      book.note({
        ...placed,
        type: 'withdraw',
        vault: vault.address,
        user: wallet,
        tx: hash,
        ...paid,
      });
      book.move({ ...placed, wallet, kind: 'exit', ...paid });
    },
    async unstake(wallet, receiver = wallet) {
      await chain.send(wallet, vault, 'unstake', [receiver]);
    },
    async canUnstake(wallet) {
      const read = chain.read<readonly [bigint, bigint]>;
      const [end, assets] = await read(vault, 'cooldowns', [wallet]);
      return assets > 0n && Number(end) <= chain.tip.time;
    },
    async reward(assets) {
      if ((await chain.read(vault, 'getUnvestedAmount')) > 0n) await chain.mine();
      else await chain.send(OWNER, vault, 'transferInRewards', [assets]);
    },
    async setCooldown(seconds) {
      await chain.send(OWNER, vault, 'setCooldownDuration', [seconds]);
    },
  };
  const place = {
    chain,
    vaults: [vault.address],
    share: vault.address,
    asset: asset.address,
    startBlock,
    custody: [vault.address, silo],
    silo,
    virtualShares: 1n,
  };
  return { family: { slug, kind: 'erc4626', places: [place] }, acts };
}
