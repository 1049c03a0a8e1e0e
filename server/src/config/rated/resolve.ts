import { type Address, lower } from '../../domain/hex.ts';
import { findNearest } from '../nearest.ts';
import type { Preset } from '../presets.ts';
import { noValue, readCall, readSelector, typeAt, wordOf } from './calls.ts';
import type {
  RatedCall,
  RatedConfig,
  RatedLedger,
  RatedQueue,
  RatedRate,
  RatedUnit,
  RatedWatch,
} from './description.ts';
import { readFlow } from './flow.ts';
import { mergeRated, type RatedFile, type RatedParts } from './merge.ts';
import { type Field, NO_EVENT, parseCall, parseEvent } from './signature.ts';

export interface RatedInput {
  /** The family's address on the chain. */
  readonly address: Address;
  /** The chain's own key `share`. */
  readonly share: Address | undefined;
  readonly preset: { readonly name: string; readonly read: Preset } | undefined;
  readonly own: RatedFile | undefined;
  /** Location of the family and its chain in the file. */
  readonly paths: { readonly family: string; readonly chain: string };
  /** Records a problem. */
  fail(path: string, message: string): void;
}

/** The resolved parts of a description; each is undefined if it had a problem, which was reported. */
export interface Reading {
  contract(named: string | undefined, key: string): Address | undefined;
  /** Whether the file states that there is no such contract. */
  isNone(named: string | undefined): boolean;
  fail(key: string, message: string): undefined;
}

const ERC20 = {
  event: 'Transfer(address indexed from, address indexed to, uint256 shares)',
  supply: 'totalSupply() returns (uint256)',
  balance: 'balanceOf(address) returns (uint256)',
};

/** Resolves a family's description on one chain; undefined if it has a problem. */
export function toRated(input: RatedInput): RatedConfig | undefined {
  const { preset, own = {}, paths } = input;
  if (preset === undefined && input.own === undefined) {
    input.fail(
      `${paths.chain}.rated`,
      'is missing: add it, or name a preset of the family; "assay init" writes both from an address',
    );
    return undefined;
  }
  const parts = mergeRated(preset?.read.rated ?? {}, own);
  const given = own.contracts ?? {};
  const used: Record<string, Address> = {};
  const missing = new Set<string>();
  let failed = false;

  const reading: Reading = {
    contract(named, key) {
      if (named === undefined) return reading.fail(key, 'is missing; add an address or a role');
      if (named.startsWith('0x')) return lower(named);
      if (named === 'vault') return input.address;
      if (named === 'share') return share();
      const address = given[named];
      if (address !== undefined && address !== 'none') {
        used[named] = lower(address);
        return used[named];
      }
      failed = true;
      if (missing.has(named)) return undefined;
      missing.add(named);
      const is = preset?.read.contracts?.[named]?.is;
      const what = is === undefined ? 'add its address' : `it is ${is}`;
      const place = `${paths.chain}.rated.contracts.${named}`;
      input.fail(place, `is missing: ${what}, and "assay init" finds what the chain names`);
      return undefined;
    },
    isNone: (named) => named !== undefined && given[named] === 'none',
    fail(key, message) {
      failed = true;
      input.fail(placeOf(key), isOwn(key) ? message : `${preset?.name}: ${key} ${message}`);
    },
  };

  const roles = new Set([...Object.keys(preset?.read.contracts ?? {}), ...rolesIn(parts)]);
  for (const role of Object.keys(given)) {
    if (roles.has(role)) continue;
    const nearest = findNearest(role, [...roles]);
    const fix = nearest === undefined ? 'remove it' : `did you mean ${nearest}?`;
    failed = true;
    input.fail(`${paths.chain}.rated.contracts.${role}`, `is a role that is not used; ${fix}`);
  }
  const token = share();
  const ledger = token && readLedger(parts, token, reading);
  const rate = readRate(parts, reading);
  const unit = readUnit(parts, reading);
  const flows = readFlows(parts, reading, ledger && `${ledger.topic} ${token}`);
  const custody = (parts.custody ?? []).flatMap((one, i) =>
    reading.isNone(one) ? [] : (reading.contract(one, `custody[${i}]`) ?? []),
  );
  const queue = readQueue(parts, reading);
  const watch = readWatch(parts, reading);
  if (failed || !token || !ledger || !rate || !unit) return undefined;
  return {
    ...(preset !== undefined && { preset: preset.name }),
    fromPreset: Object.keys(preset?.read.rated ?? {}).filter((key) => !isOwn(key)),
    contracts: used,
    share: token,
    ledger,
    rate,
    unit,
    flows,
    custody,
    ...(queue !== undefined && { queue }),
    watch,
  };

  function share(): Address | undefined {
    // Its own role does not count as a use.
    const named = parts.share === 'share' ? undefined : parts.share;
    if (input.share !== undefined) return input.share;
    return named === undefined ? input.address : reading.contract(named, 'share');
  }

  function isOwn(key: string): boolean {
    return preset === undefined || key.split(/[.[]/)[0]! in own;
  }

  function placeOf(key: string): string {
    return isOwn(key) ? `${paths.chain}.rated.${key}` : `${paths.family}.preset`;
  }
}

/** The names that are used in place of a contract. */
function rolesIn(parts: RatedParts): string[] {
  const { rate } = parts;
  const named = [
    ...[parts.share, rate?.contract, rate?.feed, rate?.paused?.contract, parts.unit?.token],
    ...[...(parts.flows ?? []), ...(parts.watch ?? [])].map(({ contract }) => contract),
    ...[...(parts.custody ?? []), parts.queue?.contract],
    ...(rate?.args ?? []),
  ];
  return named.filter((one) => typeof one === 'string').filter((one) => /^[a-z]/.test(one));
}

function isAmount(field: Field | undefined): field is Field {
  return field !== undefined && /^uint\d*$/.test(field.type);
}

function readLedger(
  { ledger = {} }: RatedParts,
  share: Address,
  reading: Reading,
): RatedLedger | undefined {
  const event = parseEvent(ledger.event ?? ERC20.event);
  if (event === undefined) return reading.fail('ledger.event', NO_EVENT);
  const find = (name: string) => event.fields.find((field) => field.name === name);
  const [from, to, shares] = ['from', 'to', 'shares'].map(find);
  if (from?.type !== 'address' || to?.type !== 'address' || !isAmount(shares)) {
    return reading.fail('ledger.event', 'must have the fields address from, address to and shares');
  }
  const burn = readBurn(ledger.burn, reading);
  if (burn === undefined) return undefined;
  const supply = readCall('ledger.supply', ledger.supply ?? ERC20.supply, share, reading);
  const balance = readSelector('ledger.balance', ledger.balance ?? ERC20.balance, share, reading);
  if (supply === undefined || balance === undefined) return undefined;
  if (balance.input !== 'address') return reading.fail('ledger.balance', 'must take an address');
  return {
    ...event.layout,
    from: from.place,
    to: to.place,
    shares: shares.place,
    burn,
    mints: ledger.mints ?? 'free',
    supply,
    balance: balance.call,
  };
}

/** Null if there is none, undefined if it has a problem. */
function readBurn(text: string | undefined, reading: Reading): RatedLedger['burn'] | undefined {
  if (text === undefined) return null;
  const event = parseEvent(text);
  if (event === undefined) return reading.fail('ledger.burn', NO_EVENT);
  const from = event.fields.find(({ name }) => name === 'from');
  const shares = event.fields.find(({ name }) => name === 'shares');
  if (from?.type !== 'address' || !isAmount(shares)) {
    return reading.fail('ledger.burn', 'must have the fields address from and shares');
  }
  return { ...event.layout, from: from.place, shares: shares.place };
}

function readRate({ rate }: RatedParts, reading: Reading): RatedRate | undefined {
  if (rate === undefined) return reading.fail('rate', 'is missing; add a call, a feed or fixed');
  const ways = [rate.call, rate.feed, rate.fixed].filter((way) => way !== undefined);
  if (ways.length !== 1) {
    return reading.fail('rate', 'must have exactly one of call, feed and fixed');
  }
  const common = { maxAge: rate.maxAge ?? null, inverse: rate.inverse ?? false };
  if (rate.fixed !== undefined && !/[1-9]/.test(rate.fixed)) {
    return reading.fail('rate.fixed', 'is zero; a share without a value has no rate');
  }
  if (rate.fixed !== undefined) return { kind: 'fixed', value: rate.fixed, ...common };
  if (rate.feed !== undefined) {
    if (rate.maxAge === undefined) {
      return reading.fail('rate.maxAge', 'is missing; add the longest age of the feed in seconds');
    }
    const contract = reading.contract(rate.feed, 'rate.feed');
    return contract && { kind: 'feed', contract, ...common };
  }
  const contract = reading.contract(rate.contract, 'rate.contract');
  if (contract === undefined) return undefined;
  const call = readCall('rate', rate.call!, contract, reading, rate);
  if (call === undefined) return undefined;
  if (rate.decimals === undefined) {
    return reading.fail('rate.decimals', 'is missing; add the decimals of the result');
  }
  const outputs = parseCall(rate.call!)!.outputs;
  const updatedAt = wordOf(outputs, rate.updatedAt);
  const bad = wordOf(outputs, rate.bad);
  if (updatedAt === undefined) return reading.fail('rate.updatedAt', noValue(outputs));
  if (bad === undefined) return reading.fail('rate.bad', noValue(outputs));
  if (rate.maxAge !== undefined && updatedAt === null) {
    return reading.fail('rate.maxAge', 'needs updatedAt, the value with the time of the rate');
  }
  const paused = readPaused(rate.paused, reading);
  if (paused === undefined) return undefined;
  const signed = /^int/.test(typeAt(outputs, call.answer));
  const { decimals } = rate;
  return { kind: 'call', ...call, ...common, decimals, updatedAt, bad, paused, signed };
}

function readPaused(
  paused: NonNullable<RatedParts['rate']>['paused'],
  reading: Reading,
): RatedCall | null | undefined {
  if (paused === undefined || reading.isNone(paused.contract)) return null;
  const contract = reading.contract(paused.contract, 'rate.paused.contract');
  return contract && readCall('rate.paused', paused.call, contract, reading, paused);
}

function readUnit({ unit }: RatedParts, reading: Reading): RatedUnit | undefined {
  if (unit === undefined) return reading.fail('unit', 'is missing; add a token or a currency');
  if ((unit.token === undefined) === (unit.currency === undefined)) {
    return reading.fail('unit', 'must have either token or currency; keep one');
  }
  if (unit.token !== undefined) {
    if (unit.decimals !== undefined) {
      return reading.fail('unit.decimals', 'belongs to a currency; a token has its own');
    }
    const token = reading.contract(unit.token, 'unit.token');
    return token && { kind: 'token', token };
  }
  if (unit.decimals === undefined) {
    return reading.fail('unit.decimals', 'is missing; add the decimals of amounts in the currency');
  }
  return { kind: 'currency', currency: unit.currency!, decimals: unit.decimals };
}

function readFlows(parts: RatedParts, reading: Reading, moves: string | undefined) {
  const first = new Map<string, number>();
  return (parts.flows ?? []).flatMap((flow, i) => {
    if (reading.isNone(flow.contract)) return [];
    const read = readFlow(flow, `flows[${i}]`, reading);
    if (read === undefined) return [];
    const key = `${read.topic} ${read.contract}`;
    if (key === moves) {
      reading.fail(`flows[${i}].event`, 'is the event that moves shares; set ledger.mints instead');
      return [];
    }
    const earlier = first.get(key);
    if (earlier !== undefined) {
      reading.fail(`flows[${i}].event`, `is the event of flows[${earlier}] too; keep one of them`);
      return [];
    }
    first.set(key, i);
    return [read];
  });
}

function readQueue({ queue }: RatedParts, reading: Reading): RatedQueue | undefined {
  if (queue === undefined || reading.isNone(queue.contract)) return undefined;
  const contract = reading.contract(queue.contract, 'queue.contract');
  if (contract === undefined) return undefined;
  const read = readSelector('queue.call', queue.call, contract, reading, queue.answer);
  if (read === undefined) return undefined;
  const { call, input } = read;
  if (input === 'address') return { ...call, by: 'wallet' };
  if (/^(uint|bytes32)/.test(input)) return { ...call, by: 'id' };
  return reading.fail('queue.call', 'must take a wallet (address) or the number of a request');
}

function readWatch(parts: RatedParts, reading: Reading): RatedWatch[] {
  return (parts.watch ?? []).flatMap((one, i) => {
    if (reading.isNone(one.contract)) return [];
    const contract = reading.contract(one.contract, `watch[${i}].contract`);
    const events = one.events.flatMap((text, j) => {
      const event = parseEvent(text);
      if (event === undefined) reading.fail(`watch[${i}].events[${j}]`, NO_EVENT);
      return event?.layout ?? [];
    });
    return contract === undefined ? [] : [{ contract, events }];
  });
}
