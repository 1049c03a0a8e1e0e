import { fn } from '../../chain/abi.ts';
import type { RatedCall, RatedConfig } from '../../config/rated/description.ts';
import { type Address, ZERO_ADDRESS } from '../../domain/hex.ts';
import { isContract, type Look } from '../../vaults/recognize/readContract.ts';
import { readTokenFacts } from '../../vaults/recognize/token.ts';
import { checkStart } from '../checkStart.ts';
import type { ConfigLocation } from '../configLocation.ts';
import { type CheckLine, fail, pass, warn } from '../line.ts';
import { checkEvents } from './events.ts';
import { findWrongFields } from './fields.ts';
import { checkLedger, readNumber } from './ledger.ts';
import { findWrongLinks } from './links.ts';
import { checkRate, createRates } from './rate.ts';
import { proveRate } from './rateProof.ts';
import { openShares } from './requests.ts';
import { createReader, type FlowLogs } from './samples.ts';

const balanceOf = fn('balanceOf(address)');

/** The data for checks across chains. */
export interface CheckedRated {
  readonly address: Address;
  readonly share: { readonly address: Address; readonly decimals: number };
  readonly asset: { readonly address: Address | null; readonly decimals: number };
  readonly authority: null;
}

/** Validates a description: its contracts, rate, and events, and the meaning of event fields. */
export async function checkRated(
  look: Look,
  location: ConfigLocation,
): Promise<{ lines: CheckLine[]; vault: CheckedRated | null }> {
  const rated = location.chain.rated!;
  const key = (part: string) => keyOf(location, rated, part);
  const missing = await findMissing(look, location, rated);
  if (missing.length > 0) return { lines: missing, vault: null };
  const share = await readTokenFacts(look, rated.share);
  const unit = await unitFacts(look, rated);
  if (share.decimals === null) {
    const text = fail(key('share'), `${rated.share} has no decimals()`, 'name the share token');
    return { lines: [text], vault: null };
  }
  if (unit === null) {
    const reason = 'the token of the rate has no decimals()';
    return { lines: [fail(key('unit.token'), reason, 'name a token')], vault: null };
  }
  const vault: CheckedRated = {
    address: location.chain.address,
    share: { address: rated.share, decimals: share.decimals },
    asset: { address: unit.address, decimals: unit.decimals },
    authority: null,
  };
  const decimals = { unit: unit.decimals, share: share.decimals };
  const lines = [
    pass(
      `${location.name}: ${share.symbol ?? ''} in ${unit.symbol ?? ''} (${unit.decimals} decimals)`,
    ),
  ];
  const readSupply = (block: number) => readNumber({ ...look, block }, rated.ledger.supply);
  const rates = createRates(look, rated, decimals);
  const rateCheck = { decimals, rates, key };
  const rate = await checkRate(look, rated, rateCheck);
  lines.push(...rate.lines, ...(await checkStart(location, readSupply)));
  const reader = createReader(look, rated, location.chain.startBlock);
  const read: FlowLogs[] = [];
  for (const [i, flow] of rated.flows.entries()) read.push(await reader.readFlow(flow, i));
  const custody = new Set([...rated.custody, ...location.chain.custody]);
  const moves = await reader.readMoves();
  lines.push(...(await checkLedger(look, rated, { moves, key })));
  lines.push(...checkEvents({ rated, read, moves: moves.moves, custody, key }));
  const tokens = new Map<Address, Promise<boolean>>();
  const context = {
    custody,
    unitToken: unit.address,
    worth: rates.worth,
    isToken(address: Address) {
      const known = tokens.get(address) ?? isToken(look, address);
      tokens.set(address, known);
      return known;
    },
  };
  const errors = [...(await findWrongLinks(read, context))];
  for (const one of read) errors.push(...(await findWrongFields(one, context)));
  for (const { index, field, reason, isUnproven } of errors) {
    const event = rated.flows[index]!.event.split('(')[0];
    const [at, text] = [key(`flows[${index}].${field}`), `the field of ${event} ${reason}`];
    const compare = 'compare it with a number that the contract returns';
    lines.push(isUnproven ? warn(at, text, compare) : fail(at, text, 'name another'));
  }
  const wrong = errors.filter(({ isUnproven }) => !isUnproven);
  lines.push(...(await proveRate(look, rated, rateCheck, rate.now, read, wrong.length)));
  lines.push(...(await checkCustody(look, { rated, read, custody, key, location })));
  return { lines, vault };
}

/** The key in the file; for a part of a preset, the preset's name. */
export function keyOf(
  location: ConfigLocation,
  { fromPreset, preset }: RatedConfig,
  part: string,
): string {
  const top = part.split(/[.[]/)[0]!;
  if (!fromPreset.includes(top)) return `${location.key}.rated.${part}`;
  return `${location.familyKey}.preset: ${preset}: ${part}`;
}

async function findMissing(
  look: Look,
  location: ConfigLocation,
  rated: RatedConfig,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  const named = [...Object.entries(rated.contracts), ['share', rated.share] as const];
  for (const [role, address] of named) {
    if (await isContract(look, address)) continue;
    const key =
      role === 'share' && rated.share === location.chain.address
        ? location.addressKey
        : `${location.key}.rated.contracts.${role}`;
    const reason = `${address} on chain ${location.chain.chainId} has no contract`;
    lines.push(fail(key, reason, 'correct the address or the chain'));
  }
  return lines;
}

async function unitFacts(look: Look, { unit }: RatedConfig) {
  if (unit.kind === 'currency') {
    return { address: null, symbol: unit.currency, decimals: unit.decimals };
  }
  const { symbol, decimals } = await readTokenFacts(look, unit.token);
  return decimals === null ? null : { address: unit.token, symbol, decimals };
}

async function isToken(look: Look, address: Address): Promise<boolean> {
  return (await readTokenFacts(look, address)).decimals !== null;
}

interface CustodyCheck {
  readonly rated: RatedConfig;
  readonly read: readonly FlowLogs[];
  readonly custody: ReadonlySet<Address>;
  readonly location: ConfigLocation;
  key(part: string): string;
}

/** Checks that custody holds the queued shares. */
async function checkCustody(look: Look, check: CustodyCheck): Promise<CheckLine[]> {
  const { rated, read, custody, key, location } = check;
  const requests = read.filter(({ flow }) => flow.action === 'request');
  const lines: CheckLine[] = [];
  for (const { index, samples } of requests) {
    const moved = samples.filter(({ moves }) => moves.length > 0);
    const into = moved.filter(({ moves }) =>
      moves.some(({ to }) => custody.has(to) || to === ZERO_ADDRESS),
    );
    if (moved.length === 0 || into.length > 0) continue;
    const reason = `shares of flows[${index}] went to ${moved[0]!.moves[0]!.to}, which is not listed`;
    lines.push(fail(key('custody'), reason, 'add the contract that holds queued shares'));
  }
  if (requests.length === 0 || lines.length > 0) return lines;
  const left = openShares(read);
  if (left === null) return [pass(`${location.name}: custody is not compared with the requests`)];
  let held = 0n;
  for (const account of custody) {
    const call: RatedCall = { ...rated.ledger.balance };
    held += (await readNumber(look, { ...call, data: balanceData(call, account) })) ?? 0n;
  }
  // A system that burns requested shares holds nothing.
  if (held === 0n && custody.size === 0) return [];
  const { open, settled } = left;
  if (held < open) {
    const reason = `${open} shares are in open requests, but custody holds ${held}`;
    return [fail(key('custody'), reason, 'add the contract that holds the rest, or correct flows')];
  }
  if (held > open + settled) {
    const reason = `custody holds ${held} shares, of which ${held - open - settled} belong to no open request`;
    return [warn(key('custody'), reason, 'they are counted as having no owner')];
  }
  return [pass(`${location.name}: custody holds the ${open} shares of open requests`)];
}

function balanceData({ data }: RatedCall, account: Address): RatedCall['data'] {
  return `${data}${balanceOf(account).slice(10)}` as RatedCall['data'];
}
