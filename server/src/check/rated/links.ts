import type { RawLog } from '../../chain/chainClient.ts';
import type { FieldPlace } from '../../config/rated/description.ts';
import { type Field, parseEvent } from '../../config/rated/signature.ts';
import type { Address } from '../../domain/hex.ts';
import { type FieldContext, type FieldError, isNear } from './fields.ts';
import { movedOf, type Request, requestOf } from './requests.ts';
import { addressOf, type FlowLogs, numberOf, numbersOf } from './samples.ts';

const NUMBERED = /^(uint\d*|bytes32)$/;

/** Finds fields that never match a cancel, a settlement, or a claim with a request. */
export async function findWrongLinks(
  read: readonly FlowLogs[],
  { worth }: Pick<FieldContext, 'worth'>,
): Promise<FieldError[]> {
  const requests = read.filter(({ flow }) => flow.action === 'request');
  const moved = read.filter(({ flow }) => flow.action === 'move');
  const known = [
    ...requests.flatMap((one) => one.logs.map((log) => requestOf(one, log))),
    ...moved.flatMap((one) => one.logs.map((log) => movedOf(one, log))),
  ];
  // Without a request, nothing can be matched; another check reports that it was never seen.
  if (known.length === 0) return [];
  const closing = read.filter(({ flow }) =>
    ['cancel', 'settle', 'claim', 'move'].includes(flow.action),
  );
  const found: FieldError[] = [];
  for (const one of closing.filter(({ logs }) => logs.length > 0)) {
    const own = known.filter(({ contract }) => contract === one.flow.contract);
    const { id, assets } = one.flow.fields;
    found.push(...findWrongNames(one, own));
    if (id === undefined || isList(id)) continue;
    if (assets !== undefined) found.push(...(await findWrongAssets(one, own, worth)));
    const isAbout = one.flow.action === 'settle' || one.flow.action === 'move';
    if (isAbout) found.push(...findWrongShares(one, own, closing));
  }
  return [...found, ...requests.flatMap((one) => findWrongIds(one, closing))];
}

/** The number, the range, or the wallet by which an event names requests. */
function findWrongNames(one: FlowLogs, own: readonly Request[]): FieldError[] {
  const { flow, index, logs } = one;
  const { id, idFrom, idTo, owner, receiver } = flow.fields;
  if (id !== undefined) {
    const ids = new Set(own.map((request) => request.id));
    const fits = (place: FieldPlace) => distinct(logs, place, ids);
    return compare(one, { field: 'id', place: id, type: NUMBERED }, fits, 'names a request');
  }
  if (idFrom !== undefined && idTo !== undefined) {
    if (logs.some((log) => numberOf(log, idFrom)! > numberOf(log, idTo)!)) {
      return [{ index, field: 'idFrom', reason: 'is larger than idTo; they are swapped' }];
    }
    if (logs.some((log) => rangeHas(log, idFrom, idTo, own))) return [];
    return [{ index, field: 'idFrom', reason: 'starts no range with a known request' }];
  }
  const place = (owner ?? receiver)!;
  const wallets = new Set(own.map(({ wallet }) => wallet));
  const field = owner === undefined ? 'receiver' : 'owner';
  const fits = (at: FieldPlace) => logs.filter((log) => wallets.has(addressOf(log, at))).length;
  return compare(one, { field, place, type: /^address$/ }, fits, 'has made a request');
}

function compare(
  { flow, index, logs }: FlowLogs,
  { field, place, type }: { field: FieldError['field']; place: FieldPlace; type: RegExp },
  fits: (place: FieldPlace) => number,
  meaning: string,
): FieldError[] {
  const own = fits(place);
  const best = othersOf(flow.event, place, type)
    .map((other) => ({ name: other.name, count: fits(other.place) }))
    .sort((a, b) => b.count - a.count)[0];
  if (best !== undefined && best.count > own) {
    const reason = `${meaning} in ${own} of ${logs.length} logs, but the field ${best.name} does in ${best.count}`;
    return [{ index, field, reason }];
  }
  if (own > 0) return [];
  return [{ index, field, reason: `${meaning} in none of ${logs.length} logs` }];
}

/** Checks that a payment is about the promised amount, or the value of the shares at that time. */
async function findWrongAssets(
  { flow, index, logs }: FlowLogs,
  own: readonly Request[],
  worth: FieldContext['worth'],
): Promise<FieldError[]> {
  const { id, assets, shares } = flow.fields;
  let [compared, fitting] = [0, 0];
  for (const log of logs.slice(0, 12)) {
    const request = own.find((one) => one.id === numberOf(log, id!));
    const value = numberOf(log, assets!);
    if (request === undefined || value === null) continue;
    const settled = shares === undefined ? request.shares : numberOf(log, shares)!;
    const worths = [request.assets, await worth(settled, log.blockNumber)];
    const expected = worths.filter((one) => one !== null && one > 0n);
    if (expected.length === 0) continue;
    compared += 1;
    if (expected.some((one) => isNear(value, one!))) fitting += 1;
  }
  if (compared === 0 || fitting > 0) return [];
  const reason = `is the value of the request in none of ${compared} logs of ${flow.action}`;
  return [{ index, field: 'assets', reason }];
}

/** A settlement of all requests with a number names all their shares that were not cancelled; a move those of one wallet. */
function findWrongShares(
  { flow, index, logs }: FlowLogs,
  own: readonly Request[],
  closing: readonly FlowLogs[],
): FieldError[] {
  const { id, shares, owner, receiver } = flow.fields;
  if (shares === undefined) return [];
  const holder = flow.action === 'move' ? (owner ?? receiver) : undefined;
  const requested = (log: RawLog) => {
    const number = numberOf(log, id!);
    const named = own.filter(
      (one) => one.id === number && (holder === undefined || one.wallet === addressOf(log, holder)),
    );
    const asked = named.reduce((sum, one) => sum + one.shares, 0n);
    return holder === undefined ? asked - cancelledOf(closing, flow.contract, number) : asked;
  };
  const fits = (place: FieldPlace) =>
    logs.filter((log) => numberOf(log, place) === requested(log)).length;
  const best = othersOf(flow.event, shares, /^uint\d*$/).find(
    ({ place }) => fits(place) > fits(shares),
  );
  if (best === undefined) return [];
  const reason = `matches the request less often than the field ${best.name}`;
  return [{ index, field: 'shares', reason }];
}

function cancelledOf(
  closing: readonly FlowLogs[],
  contract: Address,
  number: bigint | null,
): bigint {
  return closing.reduce((sum, { flow, logs }) => {
    const { id, shares } = flow.fields;
    const isAway = flow.action === 'cancel' || flow.action === 'move';
    if (!isAway || flow.contract !== contract) return sum;
    if (id === undefined || shares === undefined) return sum;
    const own = logs.filter((log) => numberOf(log, id) === number);
    return own.reduce((all, log) => all + (numberOf(log, shares) ?? 0n), sum);
  }, 0n);
}

/** A number that no later event names is not the number of a request, unless another field is. */
function findWrongIds({ flow, index, logs }: FlowLogs, closing: readonly FlowLogs[]): FieldError[] {
  const { id } = flow.fields;
  const named = closing.filter(
    (one) => one.flow.contract === flow.contract && one.flow.fields.id !== undefined,
  );
  const later = new Set(
    named.flatMap((one) => one.logs.flatMap((log) => numbersOf(log, one.flow.fields.id!))),
  );
  if (id === undefined || named.length === 0 || logs.length === 0) return [];
  const fits = (place: FieldPlace) => distinct(logs, place, later);
  const best = othersOf(flow.event, id, NUMBERED).find(({ place }) => fits(place) > fits(id));
  if (best !== undefined) {
    const reason = `is named by later events less often than the field ${best.name}`;
    return [{ index, field: 'id', reason }];
  }
  if (fits(id) > 0) return [];
  const reason = 'is named by no later event yet, so nothing proves it';
  return [{ index, field: 'id', reason, isUnproven: true }];
}

function isList(place: FieldPlace): boolean {
  return 'word' in place && place.list === true;
}

function othersOf(event: string, place: FieldPlace, type: RegExp): Field[] {
  const same = JSON.stringify(place);
  return parseEvent(event)!.fields.filter(
    (one) => type.test(one.type) && JSON.stringify(one.place) !== same,
  );
}

/** Counts the known numbers in a field: one that is always 0 is not the number of many requests. */
function distinct(
  logs: readonly RawLog[],
  place: FieldPlace,
  known: ReadonlySet<bigint | null>,
): number {
  const found = new Set(logs.flatMap((log) => numbersOf(log, place)));
  return [...found].filter((number) => known.has(number)).length;
}

function rangeHas(
  log: RawLog,
  idFrom: FieldPlace,
  idTo: FieldPlace,
  requests: readonly Request[],
): boolean {
  const [from, to] = [numberOf(log, idFrom)!, numberOf(log, idTo)!];
  return requests.some(({ id }) => id !== null && id >= from && id <= to);
}
