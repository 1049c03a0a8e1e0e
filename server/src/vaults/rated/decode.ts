import { addressAt, topicAddress, wordAt } from '../../chain/abi.ts';
import type { RawLog } from '../../chain/chainClient.ts';
import type {
  FieldPlace,
  FlowField,
  RatedConfig,
  RatedFlow,
} from '../../config/rated/description.ts';
import { type Address, ZERO_ADDRESS } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import type { VaultEvent } from '../../domain/vault/event.ts';
import type { VaultOnChain } from '../kind.ts';
import { describedOf } from './described.ts';

/** By first topic and contract: this runs for every log. */
const flowsOf = new WeakMap<RatedConfig, ReadonlyMap<string, RatedFlow>>();

export function decode(log: RawLog, place: LogPlace, vault: VaultOnChain): VaultEvent | undefined {
  const described = describedOf(vault);
  const { ledger } = described;
  const topic = log.topics[0]!;
  if (topic === ledger.topic && log.address === described.share) {
    // An event of the same name with other indexed fields is another event.
    if (log.topics.length !== ledger.topics) return undefined;
    const from = addressOf(log, ledger.from);
    const to = addressOf(log, ledger.to);
    const shares = numberOf(log, ledger.shares);
    const event = {
      kind: 'transfer',
      place,
      txHash: log.transactionHash,
      from,
      to,
      shares,
    } as const;
    if (from !== ZERO_ADDRESS && to !== ZERO_ADDRESS) return event;
    if (ledger.mints === 'bought') return { ...event, bought: true };
    return ledger.mints === 'received' && from === ZERO_ADDRESS ? { ...event, worth: true } : event;
  }
  if (topic === ledger.burn?.topic && log.address === described.share) {
    if (log.topics.length !== ledger.burn.topics) return undefined;
    const from = addressOf(log, ledger.burn.from);
    const shares = numberOf(log, ledger.burn.shares);
    return { kind: 'transfer', place, txHash: log.transactionHash, from, to: ZERO_ADDRESS, shares };
  }
  const flow = flowsIn(described).get(topic + log.address);
  if (flow === undefined || log.topics.length !== flow.topics) return undefined;
  return decodeFlow(log, place, flow, described);
}

function flowsIn(described: RatedConfig): ReadonlyMap<string, RatedFlow> {
  let flows = flowsOf.get(described);
  if (flows === undefined) {
    flows = new Map(described.flows.map((flow) => [flow.topic + flow.contract, flow]));
    flowsOf.set(described, flows);
  }
  return flows;
}

function decodeFlow(
  log: RawLog,
  place: LogPlace,
  { event, action, contract, fields }: RatedFlow,
  { unit }: RatedConfig,
): VaultEvent | undefined {
  const address = (field: FlowField) => (fields[field] ? addressOf(log, fields[field]) : null);
  const number = (field: FlowField) => (fields[field] ? numberOf(log, fields[field]) : null);
  const asset = address('asset');
  // Shares bridged in or out: nothing was paid, so it is neither a deposit nor a redemption.
  const paid = number('assets');
  if (asset === ZERO_ADDRESS && paid === 0n) return undefined;
  // The amount is in another asset: the value follows from the shares.
  const isForeign = asset !== null && (unit.kind !== 'token' || asset !== unit.token);
  return {
    kind: 'flow',
    place,
    txHash: log.transactionHash,
    event,
    action,
    contract,
    owner: address('owner'),
    receiver: address('receiver'),
    shares: number('shares'),
    assets: isForeign || paid === null ? null : paid - (number('assetsFee') ?? 0n),
    ...(isForeign && { foreign: true }),
    ...(fields.fee && { fee: numberOf(log, fields.fee) }),
    ...numbersOf(log, fields),
  };
}

/** The numbers of requests: one, a range, or a list. */
function numbersOf(log: RawLog, { id, idFrom, idTo }: RatedFlow['fields']) {
  const last = idTo === undefined ? null : numberOf(log, idTo);
  if (id !== undefined && 'word' in id && id.list) {
    return { id: null, idTo: last, ids: listOf(log, id.word) };
  }
  const first = id ?? idFrom;
  return { id: first === undefined ? null : numberOf(log, first), idTo: last };
}

/** Throws ShortData for a list that is longer than its log. */
function listOf({ data }: RawLog, word: number): bigint[] {
  const start = Number(wordAt(data, word) / 32n);
  const count = wordAt(data, start);
  const found: bigint[] = [];
  for (let i = 1; BigInt(i) <= count; i++) found.push(wordAt(data, start + i));
  return found;
}

function addressOf({ topics, data }: RawLog, place: FieldPlace): Address {
  return 'topic' in place ? topicAddress(topics[place.topic]!) : addressAt(data, place.word);
}

function numberOf({ topics, data }: RawLog, place: FieldPlace): bigint {
  return 'topic' in place ? BigInt(topics[place.topic]!) : wordAt(data, place.word);
}
