import type { RawLog } from '../../chain/chainClient.ts';
import type { FieldPlace } from '../../config/rated/description.ts';
import { type Field, parseEvent } from '../../config/rated/signature.ts';
import { type Address, ZERO_ADDRESS } from '../../domain/hex.ts';
import { type FieldContext, type FieldError, isNear } from './fields.ts';
import { addressOf, type FlowLogs, numberOf, numbersOf } from './samples.ts';

interface Request {
  readonly contract: Address;
  readonly id: bigint | null;
  readonly wallet: Address;
  readonly assets: bigint | null;
  shares: bigint;
  settled: boolean;
}

const NUMBERED = /^(uint\d*|bytes32)$/;

/** Finds fields that never match a cancel, a settlement, or a claim with a request. */
export async function findWrongLinks(
  read: readonly FlowLogs[],
  { worth }: Pick<FieldContext, 'worth'>,
): Promise<FieldError[]> {
  const found: FieldError[] = [];
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
  for (const one of closing) {
    const { flow, index, logs } = one;
    if (logs.length === 0) continue;
    const own = known.filter(({ contract }) => contract === flow.contract);
    const { id, idFrom, idTo, owner, receiver, assets } = flow.fields;
    if (id !== undefined) {
      const ids = new Set(own.map((request) => request.id));
      const fits = (place: FieldPlace) => distinct(logs, place, ids);
      compare(one, 'id', id, NUMBERED, fits, 'names a request');
    } else if (idFrom !== undefined && idTo !== undefined) {
      const inRange = logs.filter((log) => rangeHas(log, idFrom, idTo, own));
      if (logs.some((log) => numberOf(log, idFrom)! > numberOf(log, idTo)!)) {
        found.push({ index, field: 'idFrom', reason: 'is larger than idTo; they are swapped' });
      } else if (inRange.length === 0) {
        found.push({ index, field: 'idFrom', reason: 'starts no range with a known request' });
      }
    } else {
      const place = (owner ?? receiver)!;
      const wallets = new Set(own.map(({ wallet }) => wallet));
      const field = owner === undefined ? 'receiver' : 'owner';
      const fits = (at: FieldPlace) => logs.filter((log) => wallets.has(addressOf(log, at))).length;
      compare(one, field, place, /^address$/, fits, 'has made a request');
    }
    if (assets !== undefined && id !== undefined && !isList(id))
      await compareAssets(one, own, id, assets);
    const isAbout = flow.action === 'settle' || flow.action === 'move';
    if (isAbout && id !== undefined && !isList(id)) compareShares(one, own, id);
  }
  for (const one of requests) compareIds(one);
  return found;

  function compare(
    { flow, index, logs }: FlowLogs,
    field: FieldError['field'],
    place: FieldPlace,
    type: RegExp,
    fits: (place: FieldPlace) => number,
    meaning: string,
  ): void {
    const own = fits(place);
    const best = othersOf(flow.event, place, type)
      .map((other) => ({ name: other.name, count: fits(other.place) }))
      .sort((a, b) => b.count - a.count)[0];
    if (best !== undefined && best.count > own) {
      const reason = `${meaning} in ${own} of ${logs.length} logs, but the field ${best.name} does in ${best.count}`;
      found.push({ index, field, reason });
    } else if (own === 0) {
      found.push({ index, field, reason: `${meaning} in none of ${logs.length} logs` });
    }
  }

  /** Checks that a payment is about the promised amount, or the value of the shares at that time. */
  async function compareAssets(
    { flow, index, logs }: FlowLogs,
    own: readonly Request[],
    id: FieldPlace,
    assets: FieldPlace,
  ): Promise<void> {
    let [compared, fitting] = [0, 0];
    for (const log of logs.slice(0, 12)) {
      const request = own.find((one) => one.id === numberOf(log, id));
      const value = numberOf(log, assets);
      if (request === undefined || value === null) continue;
      const { shares } = flow.fields;
      const settled = shares === undefined ? request.shares : numberOf(log, shares)!;
      const worths = [request.assets, await worth(settled, log.blockNumber)];
      const expected = worths.filter((one) => one !== null && one > 0n);
      if (expected.length === 0) continue;
      compared += 1;
      if (expected.some((one) => isNear(value, one!))) fitting += 1;
    }
    if (compared === 0 || fitting > 0) return;
    const reason = `is the value of the request in none of ${compared} logs of ${flow.action}`;
    found.push({ index, field: 'assets', reason });
  }

  /** A settlement of all requests with a number names all their shares that were not cancelled; a move those of one wallet. */
  function compareShares(
    { flow, index, logs }: FlowLogs,
    own: readonly Request[],
    id: FieldPlace,
  ): void {
    const { shares } = flow.fields;
    if (shares === undefined) return;
    const { owner, receiver } = flow.fields;
    const holder = flow.action === 'move' ? (owner ?? receiver) : undefined;
    const requested = (log: RawLog) => {
      const number = numberOf(log, id);
      const named = own.filter(
        (one) =>
          one.id === number && (holder === undefined || one.wallet === addressOf(log, holder)),
      );
      const asked = named.reduce((sum, one) => sum + one.shares, 0n);
      return holder === undefined ? asked - cancelledOf(flow.contract, number) : asked;
    };
    const fits = (place: FieldPlace) =>
      logs.filter((log) => numberOf(log, place) === requested(log)).length;
    const best = othersOf(flow.event, shares, /^uint\d*$/).find(
      ({ place }) => fits(place) > fits(shares),
    );
    if (best === undefined) return;
    const reason = `matches the request less often than the field ${best.name}`;
    found.push({ index, field: 'shares', reason });
  }

  function cancelledOf(contract: Address, number: bigint | null): bigint {
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
  function compareIds({ flow, index, logs }: FlowLogs): void {
    const { id } = flow.fields;
    const named = closing.filter(
      (one) => one.flow.contract === flow.contract && one.flow.fields.id !== undefined,
    );
    const later = new Set(
      named.flatMap((one) => one.logs.flatMap((log) => numbersOf(log, one.flow.fields.id!))),
    );
    if (id === undefined || named.length === 0 || logs.length === 0) return;
    const fits = (place: FieldPlace) => distinct(logs, place, later);
    const best = othersOf(flow.event, id, NUMBERED).find(({ place }) => fits(place) > fits(id));
    if (best !== undefined) {
      const reason = `is named by later events less often than the field ${best.name}`;
      found.push({ index, field: 'id', reason });
    } else if (fits(id) === 0) {
      const reason = 'is named by no later event yet, so nothing proves it';
      found.push({ index, field: 'id', reason, isUnproven: true });
    }
  }
}

function isList(place: FieldPlace): boolean {
  return 'word' in place && place.list === true;
}

/** The request as a move leaves it. */
function movedOf({ flow }: FlowLogs, log: RawLog): Request {
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

function requestOf({ flow }: FlowLogs, log: RawLog): Request {
  const { id, owner, receiver, shares, assets, fee } = flow.fields;
  return {
    contract: flow.contract,
    id: id === undefined ? null : numberOf(log, id),
    wallet: addressOf(log, (receiver ?? owner)!),
    assets: assets === undefined ? null : numberOf(log, assets),
    shares: (numberOf(log, shares!) ?? 0n) - (fee === undefined ? 0n : (numberOf(log, fee) ?? 0n)),
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
