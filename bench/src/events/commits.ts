import { loadBuilt } from '../loadBuilt.ts';

/** Wallets of the events, in turn. */
export const WALLETS = 1_000;

export const walletOf = (index: number): string =>
  `0x${(index % WALLETS).toString(16).padStart(40, '0')}`;

/** Microseconds of the clock that all processes of this machine share. */
export const micros = (): number =>
  Math.round((performance.timeOrigin + performance.now()) * 1_000);

export interface Commits {
  /** Commits this many events as one step of the indexer does. Each has the time before its transaction as its shares. */
  write(events: number): Promise<void>;
  close(): Promise<void>;
}

/** Writes history items and their batch with the statements of the indexer, as its leader does. */
export async function openCommits(options: {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly chainId: number;
  readonly slug: string;
}): Promise<Commits> {
  const { databaseUrl, folder, chainId, slug } = options;
  const { openStore } = await loadBuilt('store/open.js');
  const { families } = await loadBuilt('store/families/families.js');
  const { history } = await loadBuilt('store/history/history.js');
  const { events } = await loadBuilt('store/events/events.js');
  const store = await openStore({ folder, databaseUrl });
  const [{ familyId }] = await families.register(store, [slug]);
  let block = 0;
  return {
    async write(count) {
      block += 1;
      const time = Math.floor(Date.now() / 1_000);
      const started = BigInt(micros());
      const items = Array.from({ length: count }, (_, logIndex) => ({
        place: { blockNumber: block, blockTime: time, logIndex },
        txHash: `0x${block.toString(16).padStart(64, '0')}`,
        type: 'deposit',
        wallet: walletOf(block * count + logIndex),
        assets: 1_000_000n,
        shares: started,
      }));
      const rows = { chainId, families: [familyId], fromBlock: block, toBlock: block };
      await store.transaction(async (tx: unknown) => {
        await history.insert(tx, familyId, chainId, items);
        await events.add(tx, { ...rows, fromTime: time, toTime: time }, -1);
      });
    },
    close: () => store.close(),
  };
}

/** Commits at a constant rate for some time. Returns how many events per second were committed. */
export async function writeFor(
  commits: Commits,
  options: { readonly seconds: number; readonly perSecond: number; readonly perCommit: number },
): Promise<number> {
  const { seconds, perSecond, perCommit } = options;
  const everyMs = (perCommit / perSecond) * 1_000;
  const began = performance.now();
  let written = 0;
  for (let due = began; due < began + seconds * 1_000; due += everyMs) {
    const early = due - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    await commits.write(perCommit);
    written += perCommit;
  }
  return (written / (performance.now() - began)) * 1_000;
}
