import { balanceOf } from './read.ts';
import { progress, type Scene, type SceneFamily } from './scene.ts';
import { deposit, redeemShares } from './users.ts';

/** From here on, the operator does not pay the queue, so that the history ends with open requests. */
export const QUEUE_WAITS_FROM = 0.98;
const WHALE_LEAVES_AT = [0.3, 0.6, 0.985];
const CLOSING_AT = 0.988;
const WAITING_WALLETS = 4;

/** Scripted instead of random: one large holder, and the requests that are open at the end. */
export interface Script {
  act(time: number): Promise<void>;
}

export function createScript(scene: Scene): Script {
  const entries = scene.families.filter(({ chainPlan }) => chainPlan.role === 'settlement');
  const done = new Map(entries.map((family) => [family, { entered: false, left: 0 }]));
  let closed = false;

  /** Its redemptions exceed a vault's idle assets, so they are queued, and all later ones with them. */
  async function moveWhale(family: SceneFamily, reached: number): Promise<void> {
    const whale = scene.cast.treasury.address;
    const state = done.get(family)!;
    if (!family.priced) return;
    if (!state.entered) {
      if (reached < 0.02) return;
      await deposit(scene, family, whale, scene.random.scale(family.typical, 60, 90));
      state.entered = true;
      return;
    }
    const next = WHALE_LEAVES_AT[state.left];
    if (next === undefined || reached < next) return;
    state.left += 1;
    const shares = await balanceOf(scene.chain, family.vault, whale);
    await redeemShares(scene, family, { wallet: whale, receiver: whale, shares: shares / 3n });
  }

  return {
    async act(time) {
      const reached = progress(scene, time);
      // One family per block: the whale is one account.
      for (const family of entries) {
        if (scene.busy.has(scene.cast.treasury.address)) break;
        await moveWhale(family, reached);
      }
      if (closed || reached < CLOSING_AT) return;
      closed = true;
      for (const { address: wallet } of scene.cast.named.slice(0, WAITING_WALLETS)) {
        for (const family of entries) {
          const held = await balanceOf(scene.chain, family.vault, wallet);
          if (held * 1_000n < family.typical) continue;
          const shares = scene.random.scale(held, 0.1, 0.3);
          await redeemShares(scene, family, { wallet, receiver: wallet, shares });
        }
      }
    },
  };
}
