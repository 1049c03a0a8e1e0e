import { fn, topicAddress, wordAt } from '../../chain/abi.ts';
import { type Address, ZERO_ADDRESS } from '../../domain/hex.ts';
import { TRANSFER } from '../vaultLogs.ts';
import { ask, isContract, type Look, numberIn } from './readContract.ts';
import { readRecentLogs } from './recentLogs.ts';

/** The newest transfers of a share are enough to find the gateways in use. */
const MAX_TRANSFERS = 5_000;

const balanceOf = fn('balanceOf(address)');

/**
 * Returns contracts that shares only pass through: in every transaction that could be read, everything they received
 * left again, and they hold nothing now. Most used first.
 */
export async function findRouters(
  look: Look,
  share: Address,
  options: { readonly since: number; readonly except: readonly Address[] },
): Promise<Address[]> {
  const { logs } = await readRecentLogs(look, {
    filter: { addresses: [share], topics: [[TRANSFER]] },
    since: options.since,
    most: MAX_TRANSFERS,
  });
  const passes = new Map<Address, number>();
  const holders = new Set<Address>([ZERO_ADDRESS, share, ...options.except]);
  for (const moved of movesByTransaction(logs).values()) {
    for (const [account, { came, left }] of moved) {
      if (came > 0n && came === left) passes.set(account, (passes.get(account) ?? 0) + 1);
      else holders.add(account);
    }
  }
  const candidates = [...passes]
    .filter(([account]) => !holders.has(account))
    .sort(([, a], [, b]) => b - a)
    .map(([account]) => account);
  const found: Address[] = [];
  for (const candidate of candidates) {
    const [held] = await ask(look, share, [balanceOf(candidate)]);
    if (numberIn(held) === 0n && (await isContract(look, candidate))) found.push(candidate);
  }
  return found;
}

interface Moves {
  came: bigint;
  left: bigint;
}

function movesByTransaction(
  logs: Awaited<ReturnType<typeof readRecentLogs>>['logs'],
): Map<string, Map<Address, Moves>> {
  const found = new Map<string, Map<Address, Moves>>();
  for (const { transactionHash, topics, data } of logs) {
    if (topics.length < 3 || data.length < 66) continue;
    const moved = found.get(transactionHash) ?? new Map<Address, Moves>();
    found.set(transactionHash, moved);
    const shares = wordAt(data, 0);
    movesOf(moved, topicAddress(topics[1]!)).left += shares;
    movesOf(moved, topicAddress(topics[2]!)).came += shares;
  }
  return found;
}

function movesOf(moved: Map<Address, Moves>, account: Address): Moves {
  const known = moved.get(account);
  if (known !== undefined) return known;
  const fresh = { came: 0n, left: 0n };
  moved.set(account, fresh);
  return fresh;
}
