import type { Address } from 'viem';
import { encodeCall } from './abi.ts';
import { STABLECOIN } from './plan.ts';
import { balanceOf, readNumber } from './read.ts';
import type { Extras, Scene } from './scene.ts';
import { approve, take } from './users.ts';

const UNIT = 1_000_000n;

/** Runs one action at the vaults of other kinds: a plain one, one that holds its shares, and an asynchronous one. */
export async function actAtExtras(scene: Scene, people: readonly Address[]): Promise<void> {
  const { extras, random } = scene;
  if (!extras) return;
  const wallet = people[random.int(Math.min(12, people.length))]!;
  if (!take(scene, wallet)) return;
  const draw = random.int(3);
  if (draw === 0) return actAtPlain(scene, extras, wallet);
  if (draw === 1) return actAtNested(scene, extras, wallet);
  return actAtAsync(scene, extras, wallet);
}

async function actAtPlain(scene: Scene, extras: Extras, wallet: Address): Promise<void> {
  const { random, chain } = scene;
  const { plainVault } = extras;
  const shares = await balanceOf(chain, plainVault, wallet);
  if (shares > 0n && random.chance(0.4)) {
    act(scene, wallet, plainVault, 'redeem(uint256,address,address)', [
      random.scale(shares, 0.2, 0.9),
      wallet,
      wallet,
    ]);
    return;
  }
  await approve(scene, wallet, STABLECOIN, plainVault);
  act(scene, wallet, plainVault, 'deposit(uint256,address)', [
    random.scale(1_000n * UNIT, 0.1, 8),
    wallet,
  ]);
}

async function actAtNested(scene: Scene, extras: Extras, wallet: Address): Promise<void> {
  const { random, chain } = scene;
  const { plainVault, nestedVault } = extras;
  const [inside, outside] = await Promise.all([
    balanceOf(chain, nestedVault, wallet),
    balanceOf(chain, plainVault, wallet),
  ]);
  if (inside > 0n && random.chance(0.3)) {
    act(scene, wallet, nestedVault, 'redeem(uint256,address,address)', [
      random.scale(inside, 0.2, 0.9),
      wallet,
      wallet,
    ]);
    return;
  }
  if (outside < UNIT) return;
  await approve(scene, wallet, plainVault, nestedVault);
  act(scene, wallet, nestedVault, 'deposit(uint256,address)', [
    random.scale(outside, 0.2, 0.7),
    wallet,
  ]);
}

/** Requests, or claims if something is claimable; the operator settles the oldest open request. */
async function actAtAsync(scene: Scene, extras: Extras, wallet: Address): Promise<void> {
  const { random, chain, cast } = scene;
  const { asyncVault } = extras;
  for (const [id, { controller, kind }] of scene.requests) {
    const name = kind === 'deposit' ? 'Deposit' : 'Redeem';
    const pending = `pending${name}Request(uint256,address)`;
    if ((await readNumber(chain, asyncVault, pending, [id, controller])) === 0n) {
      scene.requests.delete(id);
      continue;
    }
    if (random.chance(0.4)) break;
    act(scene, cast.operator.address, asyncVault, `fulfil${name}(uint256)`, [id]);
    return;
  }
  const [ready, readyShares, shares] = await Promise.all([
    readNumber(chain, asyncVault, 'maxDeposit(address)', [wallet]),
    readNumber(chain, asyncVault, 'maxRedeem(address)', [wallet]),
    balanceOf(chain, asyncVault, wallet),
  ]);
  if (ready > 0n) {
    return act(scene, wallet, asyncVault, 'deposit(uint256,address,address)', [
      ready,
      wallet,
      wallet,
    ]);
  }
  if (readyShares > 0n) {
    return act(scene, wallet, asyncVault, 'redeem(uint256,address,address)', [
      readyShares,
      wallet,
      wallet,
    ]);
  }
  const id = (await readNumber(chain, asyncVault, 'lastRequestId()')) + 1n;
  if (shares > UNIT && random.chance(0.5)) {
    scene.requests.set(id, { controller: wallet, kind: 'redeem' });
    return act(scene, wallet, asyncVault, 'requestRedeem(uint256,address,address)', [
      random.scale(shares, 0.2, 0.9),
      wallet,
      wallet,
    ]);
  }
  scene.requests.set(id, { controller: wallet, kind: 'deposit' });
  await approve(scene, wallet, STABLECOIN, asyncVault);
  act(scene, wallet, asyncVault, 'requestDeposit(uint256,address,address)', [
    random.scale(1_000n * UNIT, 0.2, 10),
    wallet,
    wallet,
  ]);
}

function act(
  scene: Scene,
  from: Address,
  to: Address,
  signature: string,
  args: readonly (bigint | Address)[],
): void {
  scene.chain.put({ from, to, data: encodeCall(signature, args) });
}
