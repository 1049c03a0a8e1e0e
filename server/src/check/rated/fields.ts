import type { FlowField } from '../../config/rated/description.ts';
import { type Field, parseEvent } from '../../config/rated/signature.ts';
import { type Address, ZERO_ADDRESS } from '../../domain/hex.ts';
import { addressOf, type FlowLogs, type Move, numberOf, type Sample } from './samples.ts';

/** A problem with a field of a flow. */
export interface FieldError {
  readonly index: number;
  readonly field: FlowField;
  readonly reason: string;
  /** Nothing shows that the field is wrong, nor that it is right. */
  readonly isUnproven?: true;
}

export interface FieldContext {
  readonly custody: ReadonlySet<Address>;
  /** Returns whether an address is a token. */
  isToken(address: Address): Promise<boolean>;
  /** Returns the value of shares at a block; null if unknown. */
  worth(shares: bigint, block: number): Promise<bigint | null>;
  readonly unitToken: Address | null;
}

/** Returns whether a value fits the meaning of the field; null if this log does not show it. */
type Fits = (sample: Sample, value: Field['place']) => Promise<boolean | null>;

/**
 * Finds fields that never fit the moves in the transactions of their logs, or fit less often than another field of
 * the event. The share moves show which field has the shares and their owner; the rate shows which has the money.
 */
export async function findWrongFields(
  read: FlowLogs,
  context: FieldContext,
): Promise<FieldError[]> {
  const { flow, index, samples } = read;
  const fields = parseEvent(flow.event)!.fields;
  const found: FieldError[] = [];
  for (const [field, type, fits, meaning] of testsOf(read, context)) {
    const place = flow.fields[field];
    if (place === undefined || samples.length === 0) continue;
    const own = await score(fits, place);
    if (own.known === 0) continue;
    const others = fields.filter((one) => type.test(one.type) && !isTaken(one.place, field, place));
    let best = { name: '', fitting: own.fitting };
    for (const other of others) {
      const { fitting } = await score(fits, other.place);
      if (fitting > best.fitting) best = { name: other.name, fitting };
    }
    const logs = `${own.fitting} of ${own.known} logs`;
    if (best.name !== '') {
      const reason = `${meaning} in ${logs}, but the field ${best.name} does in ${best.fitting}`;
      found.push({ index, field, reason });
    } else if (own.fitting === 0) {
      found.push({ index, field, reason: `${meaning} in none of ${own.known} logs` });
    }
  }
  return found;

  /** At a rate near one, shares and money look alike. */
  function isTaken(other: Field['place'], field: FlowField, place: Field['place']): boolean {
    const { shares } = flow.fields;
    return samePlace(other, place) || (field === 'assets' && !!shares && samePlace(other, shares));
  }

  async function score(fits: Fits, place: Field['place']) {
    let [known, fitting] = [0, 0];
    for (const sample of samples) {
      const result = await fits(sample, place);
      if (result !== null) known += 1;
      if (result === true) fitting += 1;
    }
    return { known, fitting };
  }
}

type Test = readonly [FlowField, RegExp, Fits, string];

function testsOf({ flow }: FlowLogs, context: FieldContext): Test[] {
  const isTrade = flow.action === 'deposit' || flow.action === 'exit';
  const moves = isTrade || flow.action === 'request' || flow.action === 'cancel';
  const holder: FlowField | null = flow.fields.owner !== undefined ? 'owner' : 'receiver';
  const tests: Test[] = [];
  if (moves) {
    tests.push(
      ['shares', /^uint/, fitsShares, `equals the shares that ${MOVED[flow.action]}`],
      [holder, /^address$/, fitsHolder, `is the holder whose shares ${MOVED[flow.action]}`],
    );
  }
  tests.push(['asset', /^address$/, fitsToken, 'is a token']);
  if (isTrade || flow.action === 'request') {
    tests.push(['assets', /^uint/, fitsWorth, 'is about the value of the shares']);
  }
  return tests;

  async function fitsShares({ log, moves }: Sample, place: Field['place']) {
    const value = numberOf(log, place);
    const own = moves.filter((move) => concerns(flow.action, move, context.custody));
    if (own.length === 0) return null;
    const fee = flow.fields.fee === undefined ? null : numberOf(log, flow.fields.fee);
    const [whole, rest] = [value, value === null || fee === null ? value : value - fee];
    return [...own.map(({ shares }) => shares), sumOf(own)].some(
      (shares) => shares === whole || shares === rest,
    );
  }

  async function fitsHolder({ log, moves }: Sample, place: Field['place']) {
    const own = moves.filter((move) => concerns(flow.action, move, context.custody));
    if (own.length === 0) return null;
    const value = addressOf(log, place);
    return own.some((move) => value === holderOf(flow.action, move));
  }

  async function fitsToken({ log }: Sample, place: Field['place']) {
    const value = addressOf(log, place);
    // Bridges name no asset, which shows nothing.
    return value === ZERO_ADDRESS ? null : context.isToken(value);
  }

  async function fitsWorth({ log, moves }: Sample, place: Field['place']) {
    const { asset, shares: named } = flow.fields;
    if (asset !== undefined && addressOf(log, asset) !== context.unitToken) return null;
    const own = moves.filter((move) => concerns(flow.action, move, context.custody));
    const shares = named === undefined ? sumOf(own) : numberOf(log, named);
    const worth = shares === null ? null : await context.worth(shares, log.blockNumber);
    const value = numberOf(log, place);
    if (worth === null || !shares || value === null) return null;
    return isNear(value, worth);
  }
}

const MOVED: Readonly<Record<string, string>> = {
  deposit: 'were minted in the transaction',
  exit: 'were burned in the transaction',
  request: 'were queued in the transaction',
  cancel: 'were returned in the transaction',
};

/** Fees and prices of the same block may separate the two by this much, in percent. */
const NEAR_PERCENT = 5n;

export function isNear(value: bigint, expected: bigint): boolean {
  const off = value > expected ? value - expected : expected - value;
  return off * 100n <= expected * NEAR_PERCENT;
}

/** Returns whether a move matches the action. */
function concerns(action: string, { from, to }: Move, custody: ReadonlySet<Address>): boolean {
  if (action === 'deposit') return from === ZERO_ADDRESS;
  if (action === 'exit') return to === ZERO_ADDRESS;
  if (action === 'request')
    return from !== ZERO_ADDRESS && (custody.has(to) || to === ZERO_ADDRESS);
  return to !== ZERO_ADDRESS && (custody.has(from) || from === ZERO_ADDRESS);
}

function holderOf(action: string, { from, to }: Move): Address {
  return action === 'deposit' || action === 'cancel' ? to : from;
}

function sumOf(moves: readonly Move[]): bigint {
  return moves.reduce((sum, { shares }) => sum + shares, 0n);
}

function samePlace(a: Field['place'], b: Field['place']): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
