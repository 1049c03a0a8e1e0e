import type { RawLog } from '../../chain/chainClient.ts';
import type { FieldPlace } from '../../config/rated/description.ts';
import { type Address, ZERO_ADDRESS } from '../../domain/hex.ts';
import { addressOf, type FlowLogs, numberOf, numbersOf } from './samples.ts';

/** A request that the logs of a queue show. */
export interface Request {
  readonly contract: Address;
  readonly id: bigint | null;
  readonly wallet: Address;
  readonly assets: bigint | null;
  shares: bigint;
  settled: boolean;
}

export function requestOf({ flow }: FlowLogs, log: RawLog): Request {
  const { id, owner, receiver, shares, assets, fee, assetsFee } = flow.fields;
  const amount = (place: FieldPlace | undefined) => (place && numberOf(log, place)) ?? 0n;
  return {
    contract: flow.contract,
    id: id === undefined ? null : numberOf(log, id),
    wallet: addressOf(log, (receiver ?? owner)!),
    assets: assets === undefined ? null : amount(assets) - amount(assetsFee),
    shares: amount(shares) - amount(fee),
    settled: false,
  };
}

/** The request as a move leaves it. */
export function movedOf({ flow }: FlowLogs, log: RawLog): Request {
  const { idTo, owner, receiver, shares } = flow.fields;
  const place = owner ?? receiver;
  return {
    contract: flow.contract,
    id: numberOf(log, idTo!),
    wallet: place === undefined ? ZERO_ADDRESS : addressOf(log, place),
    assets: null,
    shares: shares === undefined ? 0n : (numberOf(log, shares) ?? 0n),
    settled: false,
  };
}

/** Shares of open requests, of settled ones, or null if the logs do not show it. */
export function openShares(
  read: readonly FlowLogs[],
): { readonly open: bigint; readonly settled: bigint } | null {
  const queue = read.filter(({ flow }) => !['deposit', 'exit'].includes(flow.action));
  if (queue.some(({ complete }) => !complete)) return null;
  // A claim without a request number and shares can only be derived from the settled ones.
  const settles = queue.some(({ flow }) => flow.action === 'settle');
  const vague = queue.some(
    ({ flow: { action, fields } }) =>
      action === 'claim' && fields.id === undefined && fields.shares === undefined,
  );
  if (vague && !settles) return null;
  const events = queue
    .flatMap((one) => one.logs.map((log) => ({ one, log })))
    .sort((a, b) => a.log.blockNumber - b.log.blockNumber || a.log.logIndex - b.log.logIndex);
  const requests: Request[] = [];
  for (const { one, log } of events) apply(one, log);
  const sum = (settled: boolean) =>
    requests.reduce((all, one) => (one.settled === settled ? all + one.shares : all), 0n);
  return { open: sum(false), settled: sum(true) };

  function apply(one: FlowLogs, log: RawLog): void {
    const { action, contract, fields } = one.flow;
    if (action === 'request') {
      requests.push(requestOf(one, log));
      return;
    }
    const first = fields.id ?? fields.idFrom;
    const numbers = first === undefined ? null : numbersOf(log, first);
    const from = numbers?.[0];
    const isRange = fields.idFrom !== undefined;
    const to = isRange ? numberOf(log, fields.idTo!) : from;
    const isNamed = (id: bigint) =>
      isRange ? id >= from! && id <= to! : numbers?.includes(id) === true;
    const place = fields.owner ?? fields.receiver;
    const wallet = place === undefined ? null : addressOf(log, place);
    const numbered = requests.filter(
      (request) =>
        request.contract === contract &&
        (numbers === null || (request.id !== null && isNamed(request.id))),
    );
    const own = numbered.filter((request) => request.wallet === wallet);
    const named = wallet !== null && (numbers === null || own.length > 0) ? own : numbered;
    let left = fields.shares === undefined ? null : numberOf(log, fields.shares);
    for (const request of named) {
      if (action === 'settle') request.settled = true;
      else if (action === 'move') {
        const shares = left === null || left > request.shares ? request.shares : left;
        request.shares -= shares;
        requests.push({ ...request, id: numberOf(log, fields.idTo!), shares });
      } else if (numbers !== null || action === 'cancel' || request.settled) {
        const shares = left === null || left > request.shares ? request.shares : left;
        request.shares -= shares;
        if (left !== null) left -= shares;
      }
    }
  }
}
