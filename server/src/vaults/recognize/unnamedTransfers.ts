import type { RawLog } from '../../chain/chainClient.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import type { Look } from './readContract.ts';
import { readRecentLogs } from './recentLogs.ts';

/** The newest mints or burns of a share, newest first, in transactions without the vault's event for them. */
export interface UnnamedTransfers {
  readonly transfers: readonly RawLog[];
  /** Whether the vault emitted the event at all. */
  readonly hasEvents: boolean;
}

const MAX_TRANSFERS = 200;
const MAX_EVENTS = 1_000;

export async function findUnnamedTransfers(
  look: Look,
  asked: {
    readonly share: Address;
    /** Topics of the mints or burns. */
    readonly topics: readonly (readonly Hex[] | null)[];
    readonly vaults: readonly Address[];
    /** Topic of Deposit or Withdraw. */
    readonly event: Hex;
    readonly since: number;
  },
): Promise<UnnamedTransfers> {
  const { logs } = await readRecentLogs(look, {
    filter: { addresses: [asked.share], topics: asked.topics },
    since: asked.since,
    most: MAX_TRANSFERS,
  });
  const oldest = logs.at(-1)?.blockNumber;
  if (oldest === undefined) return { transfers: [], hasEvents: false };
  const { logs: events, complete } = await readRecentLogs(look, {
    filter: { addresses: asked.vaults, topics: [[asked.event]] },
    since: oldest,
    most: MAX_EVENTS,
  });
  // If not all events were read, earlier transfers are unknown.
  const isCut = !complete || events.length === MAX_EVENTS;
  const from = isCut ? (events.at(-1)?.blockNumber ?? look.block) + 1 : oldest;
  const named = new Set(events.map(({ transactionHash }) => transactionHash));
  const transfers = logs.filter(
    (log) => isWhole(log) && log.blockNumber >= from && !named.has(log.transactionHash),
  );
  return { transfers, hasEvents: events.length > 0 };
}

function isWhole({ topics, data }: RawLog): boolean {
  return topics.length === 3 && data.length >= 66;
}
