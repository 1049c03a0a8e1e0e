import type { Address } from 'viem';
import { encodeCall } from './abi.ts';
import { balanceOf, pendingOf, readNumber } from './read.ts';
import { progress, type Scene, type SceneFamily } from './scene.ts';

const UNLIMITED = 2n ** 256n - 1n;
/** Multiples of a typical deposit: many small, a few large. */
const SIZES = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 1, 2, 5, 20];

/** Runs one action of one of `people` on this chain, or none. */
export async function actAsUser(
  scene: Scene,
  time: number,
  people: readonly Address[],
): Promise<void> {
  const { random } = scene;
  const open = scene.families.filter(
    (family) => family.priced && family.chainPlan.role === 'settlement',
  );
  if (open.length === 0) return;
  const family = random.pick(open);
  const early = progress(scene, time) < 0.03 || family.holders.size < 4;
  const draw = early ? 0 : random.next();
  if (draw < 0.5) {
    const amount = random.scale(family.typical, 0.5, 1.5);
    const assets = scaleBy(amount, random.pick(SIZES));
    return deposit(scene, family, random.pick(people), assets);
  }
  if (draw < 0.82) return redeem(scene, family, people);
  if (draw < 0.95) return transfer(scene, family, people);
  return cancel(scene, family, people);
}

export async function deposit(
  scene: Scene,
  family: SceneFamily,
  wallet: Address,
  assets: bigint,
): Promise<void> {
  if (!take(scene, wallet)) return;
  const routed = usesRouter(scene, wallet);
  const target = routed ? scene.core.router : family.vault;
  await approve(scene, wallet, family.token, target);
  scene.chain.put({
    from: wallet,
    to: target,
    data: routed
      ? encodeCall('deposit(address,uint256,address)', [family.vault, assets, wallet])
      : encodeCall('deposit(uint256,address)', [assets, wallet]),
  });
  family.holders.add(wallet);
}

async function redeem(
  scene: Scene,
  family: SceneFamily,
  people: readonly Address[],
): Promise<void> {
  const { random } = scene;
  const holder = await pickHolder(scene, family, people);
  if (!holder) return;
  const { wallet, shares: held } = holder;
  // A named wallet keeps a position, to be seen in the demo.
  const all = random.chance(0.3) && !isNamed(scene, wallet);
  const shares = all ? held : random.scale(held, 0.1, 0.6);
  const receiver = random.chance(0.1) ? random.pick(people) : wallet;
  await redeemShares(scene, family, { wallet, receiver, shares });
}

export async function redeemShares(
  scene: Scene,
  family: SceneFamily,
  { wallet, receiver, shares }: { wallet: Address; receiver: Address; shares: bigint },
): Promise<void> {
  scene.busy.add(wallet);
  const routed = usesRouter(scene, wallet);
  if (routed) await approve(scene, wallet, family.vault, scene.core.router);
  scene.chain.put({
    from: wallet,
    to: routed ? scene.core.router : family.vault,
    data: routed
      ? encodeCall('redeem(address,uint256,address)', [family.vault, shares, receiver])
      : encodeCall('redeem(uint256,address,address)', [shares, receiver, wallet]),
  });
  family.queue.add(receiver);
}

async function transfer(
  scene: Scene,
  family: SceneFamily,
  people: readonly Address[],
): Promise<void> {
  const holder = await pickHolder(scene, family, people);
  if (!holder) return;
  const { random } = scene;
  const receiver = random.pick(people);
  const all = random.chance(0.2) && !isNamed(scene, holder.wallet);
  const shares = all ? holder.shares : random.scale(holder.shares, 0.05, 0.5);
  scene.chain.put({
    from: holder.wallet,
    to: family.vault,
    data: encodeCall('transfer(address,uint256)', [receiver, shares]),
  });
  family.holders.add(receiver);
}

async function cancel(
  scene: Scene,
  family: SceneFamily,
  people: readonly Address[],
): Promise<void> {
  const { random, chain } = scene;
  const waiting = [...family.queue].filter((receiver) => people.includes(receiver));
  if (waiting.length === 0) return;
  const receiver = random.pick(waiting);
  const { shares } = await pendingOf(chain, family.vault, receiver);
  if (shares < 2n || !take(scene, receiver)) return;
  chain.put({
    from: random.chance(0.8) ? receiver : scene.cast.operator.address,
    to: family.vault,
    data: encodeCall('cancel(address,uint256)', [
      receiver,
      random.chance(0.7) ? shares : shares / 2n,
    ]),
  });
  family.holders.add(receiver);
}

async function pickHolder(
  scene: Scene,
  family: SceneFamily,
  people: readonly Address[],
): Promise<{ wallet: Address; shares: bigint } | undefined> {
  const wallet = scene.random.pick([...family.holders]);
  if (!people.includes(wallet) || scene.busy.has(wallet)) return undefined;
  const shares = await balanceOf(scene.chain, family.vault, wallet);
  // Dust is not worth a transaction, and the vault rejects less than one unit of assets.
  if (shares * 10_000n < family.typical) {
    family.holders.delete(wallet);
    return undefined;
  }
  scene.busy.add(wallet);
  return { wallet, shares };
}

export async function approve(
  scene: Scene,
  owner: Address,
  token: Address,
  spender: Address,
): Promise<void> {
  const key = `${owner} ${token} ${spender}`;
  if (scene.approved.has(key)) return;
  scene.approved.add(key);
  if (scene.live) {
    const read = [owner, spender];
    const allowed = await readNumber(scene.chain, token, 'allowance(address,address)', read);
    if (allowed > UNLIMITED / 2n) return;
  }
  scene.chain.put({
    from: owner,
    to: token,
    data: encodeCall('approve(address,uint256)', [spender, UNLIMITED]),
  });
}

/** One action per actor and block, so that its reads are still valid when it is mined. */
export function take(scene: Scene, wallet: Address): boolean {
  if (scene.busy.has(wallet)) return false;
  scene.busy.add(wallet);
  return true;
}

/** Two wallets in five use the router most of the time. */
function usesRouter(scene: Scene, wallet: Address): boolean {
  const habit = Number(BigInt(wallet) % 5n) < 2;
  return scene.random.chance(0.05) ? !habit : habit;
}

export function isNamed(scene: Scene, wallet: Address): boolean {
  return scene.cast.named.some(({ address }) => address === wallet);
}

function scaleBy(amount: bigint, factor: number): bigint {
  return (amount * BigInt(Math.round(factor * 100))) / 100n;
}
