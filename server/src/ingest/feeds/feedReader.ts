import { eventTopic, wordAt } from '../../chain/abi.ts';
import type { ChainClient, Header, LogFilter, RawLog } from '../../chain/chainClient.ts';
import { startLogRange } from '../../chain/logRange.ts';
import type { Address } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import type { FeedPhaseRow } from '../../store/prices/feedPhases.ts';
import type { PriceRow } from '../../store/prices/prices.ts';
import { BlockGone, blockTimes, readLogRanges } from '../read/logRanges.ts';
import type { FeedSource } from '../sources.ts';
import type { FeedFacts } from './feedFacts.ts';
import { type Answer, answersInForce, priceAtOpening, unlocatedText } from './phases.ts';
import { createPhaseWatch } from './phaseWatch.ts';
import { priceIn, readAnswer, secondsIn, unlessPruned } from './proxy.ts';

export const ANSWER_UPDATED = eventTopic(
  'event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)',
);

/** The range that logs were read from: its last block, the addresses, and the filter. */
export interface Stretch {
  readonly client: ChainClient;
  readonly to: Header;
  readonly filter: LogFilter;
}

export interface FeedRows {
  readonly rows: readonly PriceRow[];
  readonly phases: readonly FeedPhaseRow[];
}

/** Reads the prices of one aggregator, or of all aggregators that a proxy has had. */
export interface FeedReader {
  readonly kind: 'feed';
  readonly source: FeedSource;
  /** Grows when a new aggregator is found. */
  readonly filter: LogFilter;
  /** Whether the proxy is read at the end of each range to find its aggregator. */
  readonly asks: boolean;
  /** The error for status: blocks whose aggregator is unknown. */
  readonly problem: string | null;
  /** Takes ranges in the order of the calls. Each continues where the one before ended. */
  take(
    logs: readonly RawLog[],
    place: (log: RawLog) => LogPlace,
    stretch: Stretch,
  ): Promise<FeedRows>;
}

/** Initial number of blocks per read for the logs of an aggregator that was found within a range. */
const FIRST_RANGE = 2_000;

/** Continues after `indexedBlock`, with the phases found up to there. */
export function createFeedReader(
  source: FeedSource,
  facts: FeedFacts,
  held: { readonly phases: readonly FeedPhaseRow[]; readonly indexedBlock: number },
): FeedReader {
  const { address } = source.feed;
  const { chainId } = source;
  const addresses = new Set<Address>(facts.addresses);
  const watch = createPhaseWatch(address, facts, held.phases.at(-1) ?? null);
  const range = { current: startLogRange(FIRST_RANGE) };
  let known = held.phases;
  let readTo = held.indexedBlock;
  let turn: Promise<unknown> = Promise.resolve();

  return {
    kind: 'feed',
    source,
    asks: facts.kind !== 'aggregator',
    get filter() {
      return { addresses: [...addresses], topics: [[ANSWER_UPDATED]] };
    },
    get problem() {
      return unlocatedText(source.key, chainId, known);
    },
    take(logs, place, stretch) {
      const taken = turn.then(() => takeNext(logs, place, stretch));
      turn = taken;
      return taken;
    },
  };

  async function takeNext(
    logs: readonly RawLog[],
    place: (log: RawLog) => LogPlace,
    stretch: Stretch,
  ): Promise<FeedRows> {
    const { client, to, filter } = stretch;
    const before = known.at(-1);
    const from = readTo;
    const phases = await watch.advance(client, from, to.number);
    readTo = to.number;
    known = [...known, ...phases];
    const inForce = before === undefined ? phases : [before, ...phases];
    const answers = logs.flatMap((log) => answerOf(log, place(log)) ?? []);
    answers.push(...(await readMissing(client, inForce, filter, { from, to: to.number })));
    const rows = answersInForce(address, inForce, answers);
    rows.push(...(await readOpenings(client, phases)));
    return { rows, phases };
  }

  /** Reads logs of aggregators that the filter of the range did not contain yet. */
  async function readMissing(
    client: ChainClient,
    inForce: readonly FeedPhaseRow[],
    filter: LogFilter,
    blocks: { readonly from: number; readonly to: number },
  ): Promise<Answer[]> {
    const found: Answer[] = [];
    for (const [i, { aggregator, blockNumber }] of inForce.entries()) {
      if (aggregator === null || filter.addresses.includes(aggregator)) continue;
      addresses.add(aggregator);
      const next = inForce[i + 1];
      const fromBlock = Math.max(blockNumber, blocks.from) + 1;
      const toBlock = next === undefined ? blocks.to : next.blockNumber - 1;
      if (fromBlock > toBlock) continue;
      const own = { addresses: [aggregator], topics: [[ANSWER_UPDATED]] };
      const asked = { client, filter: own, fromBlock, toBlock, concurrency: 1, range };
      for await (const { logs } of readLogRanges(asked)) {
        const times = await blockTimes(client, logs);
        for (const log of logs) {
          const { blockNumber: block, logIndex } = log;
          const place = { blockTime: times.get(block)!, chainId, blockNumber: block, logIndex };
          found.push(...(answerOf(log, place) ?? []));
        }
      }
    }
    return found;
  }

  /** Reads what the feed itself returned at the end of the blocks in which phases began. */
  async function readOpenings(
    client: ChainClient,
    phases: readonly FeedPhaseRow[],
  ): Promise<PriceRow[]> {
    if (phases.length === 0) return [];
    const headers = await client.headers(phases.map(({ blockNumber }) => blockNumber));
    const rows: PriceRow[] = [];
    for (const [i, phase] of phases.entries()) {
      const header = headers[i];
      if (!header) throw new BlockGone(phase.blockNumber);
      const answer =
        phase.aggregator === null
          ? null
          : await unlessPruned(readAnswer(client, address, phase.blockNumber));
      // No price was in force before the first phase, so none ends.
      const nothing = answer === 'pruned' || (answer === null && phase === known[0]);
      if (nothing) continue;
      rows.push(priceAtOpening({ answer, phase, chainId, blockTime: header.time }));
    }
    return rows;
  }
}

function answerOf(log: RawLog, place: LogPlace): Answer[] | undefined {
  const [topic, current] = log.topics;
  if (topic !== ANSWER_UPDATED || !current) return undefined;
  // Some aggregators index the time too; it is the time of the block.
  const updatedAt = log.data.length < 66 ? place.blockTime : secondsIn(wordAt(log.data, 0));
  return [{ ...place, address: log.address, value: priceIn(BigInt(current)), updatedAt }];
}
