import { EVENTS, type EventName, kindOf, TOPICS } from './contracts.ts';
import { createLogBytes } from './logBytes.ts';
import { createReplayedHashes } from './replayedHashes.ts';
import { createWorld, type Transaction, type World } from './world.ts';

export interface ReplayOptions {
  readonly events: number;
  readonly seed: number;
  /** Unix seconds of the head. */
  readonly headTime: number;
  /** Whether logs have `blockTimestamp`, as from most RPC endpoints today. */
  readonly logTimes: boolean;
  /** Every n-th block has events, as on a chain where a vault is one of many. Default: `1`. */
  readonly every?: number;
}

/** One entry per topic position: any of these values, or null for any. */
export type TopicFilter = readonly (readonly string[] | null)[];

export interface ReplayedChain {
  readonly head: number;
  readonly finalized: number;
  /** Adds an empty block. */
  grow(): void;
  readonly lastEventBlock: number;
  readonly counts: Readonly<Record<EventName, number>>;
  readonly state: ReturnType<World['state']>;
  /** Returns the logs of a range as pieces of the content of a JSON array. */
  logs(range: { fromBlock: number; toBlock: number }, filter: LogFilter): Buffer[];
  /** Returns a block as JSON, or undefined beyond the head. */
  block(number: number, full: boolean): string | undefined;
  findBlockByHash(hash: string): number | undefined;
  /** Returns the receipts of a block as JSON. */
  receipts(number: number): string[];
  findTransaction(hash: string): { block: number; index: number } | undefined;
}

export interface LogFilter {
  readonly addresses: readonly string[] | null;
  readonly topics: TopicFilter;
}

const LOGS_PER_BLOCK = 8;
const SECONDS_PER_BLOCK = 2;
/** Empty blocks at the head, so that every event is final for an indexer that counts confirmations. */
const FINAL_DEPTH = 32;
const NO_BLOOM = `0x${'0'.repeat(512)}`;
const ANY_BLOOM = `0x${'f'.repeat(512)}`;
const EMPTY_HASH = `0x${'0'.repeat(64)}`;

/** Builds the complete chain in advance, with its logs as bytes, so that a response costs almost nothing. */
export function replayChain(options: ReplayOptions): ReplayedChain {
  const { every = 1 } = options;
  const eventBlocks = Math.ceil(options.events / LOGS_PER_BLOCK);
  const lastEventBlock = eventBlocks * every;
  const firstHead = lastEventBlock + 2 * FINAL_DEPTH;
  let head = firstHead;
  const hashes = createReplayedHashes(options.seed);
  const world = createWorld({ seed: options.seed });
  const counts = Object.fromEntries(EVENTS.map((event) => [event.name, 0])) as Record<
    EventName,
    number
  >;
  const bytes = createLogBytes(options.events);
  const senders: string[][] = [];
  const logsOfTransaction: number[][] = [];

  for (let number = every; number <= lastEventBlock; number += every) {
    const room = Math.min(LOGS_PER_BLOCK, options.events - bytes.length);
    const transactions = world.nextBlock({ time: timeOf(number), logs: room });
    senders.push(transactions.map((transaction) => `0x${transaction.from.slice(24)}`));
    logsOfTransaction.push(transactions.map((transaction) => transaction.logs.length));
    addLogs(number, transactions);
  }
  bytes.close();

  function addLogs(number: number, transactions: readonly Transaction[]): void {
    const block = blockFields(number);
    let logIndex = 0;
    transactions.forEach((transaction, index) => {
      const where = `${block},"transactionHash":"${hashes.transaction(number, index)}","transactionIndex":"${hex(index)}"`;
      for (const log of transaction.logs) {
        const kind = kindOf(log.name);
        const topics = [TOPICS[kind], ...log.topics.map((topic) => `0x${topic}`)].join('","');
        const text = `{"address":"${EVENTS[kind]!.address}","topics":["${topics}"],"data":"0x${log.data.join('')}",${where},"logIndex":"${hex(logIndex++)}","removed":false},`;
        bytes.add(kind, text);
        counts[log.name] += 1;
      }
    });
  }

  function blockFields(number: number): string {
    const time = options.logTimes ? `,"blockTimestamp":"${hex(timeOf(number))}"` : '';
    return `"blockNumber":"${hex(number)}","blockHash":"${hashes.block(number)}"${time}`;
  }

  function timeOf(number: number): number {
    return options.headTime - (firstHead - number) * SECONDS_PER_BLOCK;
  }

  function firstLog(block: number): number {
    return Math.min(options.events, Math.max(0, Math.floor((block - 1) / every) * LOGS_PER_BLOCK));
  }

  function logs(range: { fromBlock: number; toBlock: number }, filter: LogFilter): Buffer[] {
    const wanted = EVENTS.map((event, kind) => {
      const topic = filter.topics[0] ?? null;
      const addressFits = filter.addresses === null || filter.addresses.includes(event.address);
      return addressFits && (topic === null || topic.includes(TOPICS[kind]!));
    });
    const byArgument = filter.topics.slice(1).some((topic) => topic !== null);
    const fits = (log: number) =>
      wanted[bytes.kindOf(log)] === true &&
      (!byArgument || argumentsFit(bytes.text(log), filter.topics));
    return bytes.pieces(firstLog(range.fromBlock), firstLog(range.toBlock + 1), fits);
  }

  function block(number: number, full: boolean): string | undefined {
    if (number > head) return undefined;
    const from = sendersOf(number);
    const transactions = from.map((sender, index) =>
      full ? transactionJson(number, index, sender) : `"${hashes.transaction(number, index)}"`,
    );
    const bloom = from.length === 0 ? NO_BLOOM : ANY_BLOOM;
    const parent = number === 0 ? EMPTY_HASH : hashes.block(number - 1);
    return `{"number":"${hex(number)}","hash":"${hashes.block(number)}","parentHash":"${parent}","timestamp":"${hex(timeOf(number))}","logsBloom":"${bloom}","miner":"0x4200000000000000000000000000000000000011","gasLimit":"0x3938700","gasUsed":"0x5208","baseFeePerGas":"0x989680","difficulty":"0x0","totalDifficulty":"0x0","extraData":"0x","mixHash":"${EMPTY_HASH}","nonce":"0x0000000000000000","receiptsRoot":"${EMPTY_HASH}","sha3Uncles":"${EMPTY_HASH}","stateRoot":"${EMPTY_HASH}","transactionsRoot":"${EMPTY_HASH}","size":"0x400","uncles":[],"transactions":[${transactions.join(',')}]}`;
  }

  function sendersOf(number: number): readonly string[] {
    return (number % every === 0 && senders[number / every - 1]) || [];
  }

  function transactionJson(number: number, index: number, from: string): string {
    return `{"hash":"${hashes.transaction(number, index)}","blockHash":"${hashes.block(number)}","blockNumber":"${hex(number)}","transactionIndex":"${hex(index)}","from":"${from}","to":"${EVENTS[0].address}","value":"0x0","input":"0x6e553f65","nonce":"${hex(number)}","gas":"0x30d40","gasPrice":"0x989680","maxFeePerGas":"0x989680","maxPriorityFeePerGas":"0x0","type":"0x2","accessList":[],"chainId":"0x2105","r":"${EMPTY_HASH}","s":"${EMPTY_HASH}","v":"0x0"}`;
  }

  function receipts(number: number): string[] {
    const sizes = (number % every === 0 && logsOfTransaction[number / every - 1]) || [];
    let log = firstLog(number);
    return sizes.map((size, index) => {
      const own = Array.from({ length: size }, () => bytes.text(log++));
      return `{"transactionHash":"${hashes.transaction(number, index)}","transactionIndex":"${hex(index)}","blockHash":"${hashes.block(number)}","blockNumber":"${hex(number)}","from":"${sendersOf(number)[index]}","to":"${EVENTS[0].address}","contractAddress":null,"cumulativeGasUsed":"0x5208","gasUsed":"0x5208","effectiveGasPrice":"0x989680","logs":[${own.join(',')}],"logsBloom":"${ANY_BLOOM}","status":"0x1","type":"0x2"}`;
    });
  }

  function findTransaction(hash: string): { block: number; index: number } | undefined {
    const { block, index } = hashes.positionIn(hash);
    if (sendersOf(block)[index] === undefined) return undefined;
    return hashes.transaction(block, index) === hash ? { block, index } : undefined;
  }

  function findBlockByHash(hash: string): number | undefined {
    const { block } = hashes.positionIn(hash);
    return block <= head && hashes.block(block) === hash ? block : undefined;
  }

  return {
    get head() {
      return head;
    },
    get finalized() {
      return head - FINAL_DEPTH;
    },
    grow() {
      head += 1;
    },
    lastEventBlock,
    counts,
    state: world.state(),
    logs,
    block,
    findBlockByHash,
    receipts,
    findTransaction,
  };
}

function argumentsFit(text: string, filter: TopicFilter): boolean {
  const { topics } = JSON.parse(text) as { topics: string[] };
  return filter.every(
    (wanted, place) =>
      wanted === null || (topics[place] !== undefined && wanted.includes(topics[place])),
  );
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
