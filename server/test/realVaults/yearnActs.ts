import type { Address } from '../../src/domain/hex.ts';
import type { Book } from './book.ts';
import type { Call, Contract, LocalChain, Receipt } from './chain.ts';
import { npmCompiled } from './contracts.ts';
import { createPlainActs, type PlainActs } from './plainActs.ts';
import { account, OWNER } from './plainScenario.ts';
import type { Family } from './scenario.ts';

const ACCOUNTANT = account(0xacc7n);
const PROTOCOL = account(0x9607n);

/** Actions of users, the manager, and the one strategy of a Yearn vault. */
export interface YearnActs extends PlainActs {
  /** Sets the strategy's debt to this amount. */
  invest(assets: bigint): Promise<void>;
  /** The strategy earns this amount and reports it in one block. */
  gain(assets: bigint): Promise<void>;
  lose(assets: bigint): Promise<void>;
}

export async function openYearn(
  chain: LocalChain,
  book: Book,
): Promise<{ family: Family; acts: YearnActs }> {
  const deploy = async (name: string, args: readonly unknown[]): Promise<Contract> =>
    chain.deploy(OWNER, await npmCompiled(name), args);
  const asset = await deploy('Token', ['USDC', 6]);
  const vault = await deploy('YearnVault', [asset.address, ACCOUNTANT, PROTOCOL]);
  const startBlock = chain.tip.number;
  const strategy = await deploy('OffsetVault', [asset.address, 0]);
  await chain.send(OWNER, vault, 'add_strategy', [strategy.address]);
  const slug = 'yearn';
  const report: Call = { from: OWNER, to: vault, fn: 'process_report', args: [strategy.address] };

  async function reported(fn: 'mint' | 'burn', assets: bigint): Promise<void> {
    const args = [strategy.address, assets];
    const [, receipt] = await chain.together([{ from: OWNER, to: asset, fn, args }, report]);
    for (const wallet of [ACCOUNTANT, PROTOCOL]) await noteFees(receipt!, wallet);
  }

  /** Fee shares cost nothing. */
  async function noteFees({ block, time }: Receipt, wallet: Address): Promise<void> {
    const at = (number: number) => chain.read(vault, 'balanceOf', [wallet], number);
    const shares = (await at(block)) - (await at(block - 1));
    if (shares === 0n) return;
    const { chainId } = chain;
    book.move({ family: slug, chainId, block, time, wallet, kind: 'minted', shares, assets: 0n });
  }

  const acts: YearnActs = {
    ...createPlainActs({ chain, family: slug, vault, asset, book }),
    async invest(assets) {
      await chain.send(OWNER, vault, 'update_debt', [strategy.address, assets]);
    },
    gain: (assets) => reported('mint', assets),
    lose: (assets) => reported('burn', assets),
  };
  const place = {
    chain,
    vaults: [vault.address],
    share: vault.address,
    asset: asset.address,
    startBlock,
    custody: [vault.address],
    uncounted: (block: number) => chain.read(vault, 'unlockedShares', [], block),
  };
  return { family: { slug, kind: 'erc4626', places: [place] }, acts };
}
