import { topicAddress, wordAt } from '../../chain/abi.ts';
import type { RawLog } from '../../chain/chainClient.ts';
import type {
  EventLayout,
  FieldPlace,
  RatedConfig,
  RatedFlow,
} from '../../config/rated/description.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../../domain/hex.ts';
import type { Look } from '../../vaults/recognize/readContract.ts';
import { readRecentLogs } from '../../vaults/recognize/recentLogs.ts';

/** Shares that an event of the ledger moves. */
export interface Move {
  readonly from: Address;
  readonly to: Address;
  readonly shares: bigint;
}

/** A log with the share moves in its transaction. */
export interface Sample {
  readonly log: RawLog;
  readonly moves: readonly Move[];
}

/** The logs of a flow, as far back as they could be read. */
export interface FlowLogs {
  readonly flow: RatedFlow;
  readonly index: number;
  /** Newest first. */
  readonly logs: readonly RawLog[];
  /** Whether these are all of them. */
  readonly complete: boolean;
  /** The number of indexed fields of logs that differ from the signature in nothing else; null: there are none. */
  readonly indexed: number | null;
  /** The logs that are compared with the moves in their transaction. */
  readonly samples: readonly Sample[];
}

/** Each sample costs a request for its block. */
const MAX_SAMPLES = 12;
const MAX_BLOCKS = 6;
/** More of one event are not needed to test a field. */
const MAX_LOGS = 2_000;

export interface Reader {
  readFlow(flow: RatedFlow, index: number): Promise<FlowLogs>;
  /** The newest moves of shares, each with the logs of flows in its transaction. */
  readMoves(): Promise<Moves>;
}

export interface Moves {
  readonly moves: readonly Beside[];
  /** Whether the event was seen at all. */
  readonly seen: boolean;
  /** A few blocks: the change of each holder, and the minted shares if nothing was burned. */
  readonly blocks: readonly {
    readonly number: number;
    readonly deltas: ReadonlyMap<Address, bigint>;
    readonly minted: bigint;
  }[];
}

/** A move, and the flows in its transaction. */
export interface Beside extends Move {
  readonly flows: ReadonlySet<number>;
}

export function createReader(look: Look, rated: RatedConfig, since: number): Reader {
  const { ledger, share, flows } = rated;
  const ofBlocks = new Map<string, Promise<RawLog[]>>();

  /** Of one block, read once. */
  function logsAt(block: number, addresses: readonly Address[], topics: readonly Hex[]) {
    const key = `${block} ${addresses.join()} ${topics.join()}`;
    const filter = { addresses: [...new Set(addresses)], topics: [[...new Set(topics)]] };
    const asked =
      ofBlocks.get(key) ?? look.client.logs({ fromBlock: block, toBlock: block, filter });
    ofBlocks.set(key, asked);
    return asked;
  }

  async function movesBeside({ blockNumber, transactionHash }: RawLog): Promise<Move[]> {
    const logs = await logsAt(blockNumber, [share], [ledger.topic]);
    return logs.filter((one) => one.transactionHash === transactionHash).flatMap(toMove);
  }

  function toMove(log: RawLog): Move[] {
    if (!isOf(log, ledger)) return [];
    const { from, to, shares } = ledger;
    return [
      {
        from: addressOf(log, from),
        to: addressOf(log, to),
        shares: numberOf(log, shares) ?? 0n,
      },
    ];
  }

  return {
    async readFlow(flow, index) {
      const filter = { addresses: [flow.contract], topics: [[flow.topic]] };
      const read = await readRecentLogs(look, { filter, since, most: MAX_LOGS });
      const logs = read.logs.filter((log) => isOf(log, flow));
      const unfit = read.logs.find((log) => !isOf(log, flow));
      const indexed = unfit === undefined ? null : unfit.topics.length - 1;
      const samples: Sample[] = [];
      for (const log of spread(logs)) samples.push({ log, moves: await movesBeside(log) });
      const complete = read.complete && read.logs.length < MAX_LOGS;
      return { flow, index, logs, complete, indexed, samples };
    },
    async readMoves() {
      const filter = { addresses: [share], topics: [[ledger.topic]] };
      const read = await readRecentLogs(look, { filter, since, most: MAX_LOGS });
      const own = read.logs.filter((log) => isOf(log, ledger));
      const moves: Beside[] = [];
      const contracts = flows.map(({ contract }) => contract);
      const topics = flows.map(({ topic }) => topic);
      for (const log of spread(own, MAX_SAMPLES * 4)) {
        const beside = flows.length === 0 ? [] : await logsAt(log.blockNumber, contracts, topics);
        const same = beside.filter((one) => one.transactionHash === log.transactionHash);
        const named = flows.flatMap((flow, i) =>
          same.some((one) => one.address === flow.contract && isOf(one, flow)) ? [i] : [],
        );
        moves.push(...toMove(log).map((move) => ({ ...move, flows: new Set(named) })));
      }
      const blocks = [];
      for (const { blockNumber } of spread(own, MAX_BLOCKS)) {
        const inBlock = (await logsAt(blockNumber, [share], [ledger.topic])).flatMap(toMove);
        blocks.push({ number: blockNumber, ...deltasOf(inBlock) });
      }
      return { moves, seen: own.length > 0, blocks };
    },
  };
}

function deltasOf(moves: readonly Move[]) {
  const deltas = new Map<Address, bigint>();
  for (const { from, to, shares } of moves) {
    deltas.set(from, (deltas.get(from) ?? 0n) - shares);
    deltas.set(to, (deltas.get(to) ?? 0n) + shares);
  }
  const burned = moves.some(({ to }) => to === ZERO_ADDRESS);
  const minted = burned ? 0n : -(deltas.get(ZERO_ADDRESS) ?? 0n);
  deltas.delete(ZERO_ADDRESS);
  return { deltas, minted };
}

/** The newest ones, and some from the entire range. */
function spread(logs: readonly RawLog[], most = MAX_SAMPLES): readonly RawLog[] {
  if (logs.length <= most) return logs;
  const step = logs.length / most;
  return Array.from({ length: most }, (_, i) => logs[Math.floor(i * step)]!);
}

function isOf(log: RawLog, layout: EventLayout): boolean {
  return log.topics[0] === layout.topic && log.topics.length === layout.topics;
}

/** Null if the log ends before it. */
export function numberOf(log: RawLog, place: FieldPlace): bigint | null {
  if ('topic' in place) return BigInt(log.topics[place.topic] ?? 0);
  return log.data.length < 66 + place.word * 64 ? null : wordAt(log.data, place.word);
}

/** Of a field with a list of numbers all of them. */
export function numbersOf(log: RawLog, place: FieldPlace): bigint[] {
  const first = numberOf(log, place);
  if (first === null) return [];
  if ('topic' in place || !place.list) return [first];
  const at = Number(first / 32n);
  const count = numberOf(log, { word: at }) ?? 0n;
  const found: bigint[] = [];
  for (let i = 1; BigInt(i) <= count; i++) {
    const number = numberOf(log, { word: at + i });
    if (number === null) break;
    found.push(number);
  }
  return found;
}

export function addressOf(log: RawLog, place: FieldPlace): Address {
  if ('topic' in place) return topicAddress(log.topics[place.topic] ?? '0x');
  const word = numberOf(log, place) ?? 0n;
  return `0x${(word & ((1n << 160n) - 1n)).toString(16).padStart(40, '0')}`;
}
