import type { RawLog } from '../chain/chainClient.ts';
import type { FieldPlace, RatedCall, RatedConfig, RatedFlow } from '../config/rated/description.ts';
import { type Address, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import { type Ask, type CallContract, Unanswered } from './ask.ts';
import type { DeploymentReads } from './deployment.ts';
import { kindOf } from './kinds/index.ts';
import type { QueueEvent } from './ratedRequests.ts';
import type { State } from './states.ts';
import { addressIn as addressInWord, type createVaultLogStore } from './vaultLogs.ts';

/** The calls that read a described share token at a block. */
interface Described {
  readonly rated: RatedConfig;
  /** The family's own address there. */
  readonly address: Address;
  readonly shareDecimals: number;
  readonly ask: Ask;
  readonly call: CallContract;
  /** Time of the block. */
  time(): Promise<number>;
}

/** Implements the ERC-4626 reads with the described calls, so that such a token is checked like any vault. */
export function askDescribed(described: Described): Ask {
  const { rated, address, ask, call } = described;
  const { ledger, share } = rated;
  return async <T>(to: Address, signature: string, ...args: readonly unknown[]) => {
    const name = signature.slice(0, signature.indexOf('('));
    if (lower(to) === share && name === 'balanceOf') {
      const wallet = (args[0] as string).slice(2).toLowerCase().padStart(64, '0');
      return (await wordOf(call, {
        ...ledger.balance,
        data: `${ledger.balance.data}${wallet}`,
      })) as T;
    }
    if (lower(to) === share && name === 'totalSupply') {
      return (await wordOf(call, ledger.supply)) as T;
    }
    if (lower(to) !== address) return ask<T>(to, signature, ...args);
    if (name === 'asset') return (rated.unit.kind === 'token' ? rated.unit.token : undefined) as T;
    if (name === 'convertToAssets') return (await worthOf(described, args[0] as bigint)) as T;
    if (name === 'totalAssets') {
      const supply = await wordOf(call, ledger.supply);
      return (supply === undefined ? undefined : await worthOf(described, supply)) as T;
    }
    return ask<T>(to, signature, ...args);
  };
}

/** Its state: all shares at the rate, with no known idle assets. */
export async function readRatedState(deployment: DeploymentReads, block: number): Promise<State> {
  const { chain, share, shareDecimals, family } = deployment;
  const ask = deployment.askAt(block);
  const supply = 'totalSupply() view returns (uint256)';
  const convert = 'convertToAssets(uint256) view returns (uint256)';
  const [reported, shareSupply, invested, sharePrice] = await Promise.all([
    kindOf(family.adapter).read(deployment, block),
    ask<bigint>(share, supply),
    ask<bigint>(chain.address, 'totalAssets() view returns (uint256)'),
    ask<bigint>(chain.address, convert, 10n ** BigInt(shareDecimals)),
  ]);
  if (shareSupply === undefined) throw new Unanswered(share, supply);
  if (invested === undefined || sharePrice === undefined) throw new Unanswered(share, 'its rate()');
  const { pendingRedemptionAssets } = reported;
  const none = { idle: 0n, idleIsExact: true, pendingExits: 0n, rewardPerYear: 0n, pools: [] };
  return { ...none, invested, pendingRedemptionAssets, shareSupply, sharePrice };
}

/** Stores which shares moved, and which wallet requested which number. */
export function takeRatedLog(
  rated: RatedConfig,
  logStore: ReturnType<typeof createVaultLogStore>,
  log: RawLog,
): void {
  const { ledger, share, flows } = rated;
  const address = lower(log.address);
  const at = { block: log.blockNumber, transaction: log.transactionHash };
  const isOf = (layout: { topic: string; topics: number }) =>
    log.topics[0] === layout.topic && log.topics.length === layout.topics;
  if (address === share && isOf(ledger)) {
    const [from, to] = [addressAt(log, ledger.from), addressAt(log, ledger.to)];
    logStore.logs.transfers.push({ ...at, from, to, value: numberAt(log, ledger.shares) });
    return;
  }
  if (address === share && ledger.burn !== null && isOf(ledger.burn)) {
    const from = addressAt(log, ledger.burn.from);
    const value = numberAt(log, ledger.burn.shares);
    logStore.logs.transfers.push({ ...at, from, to: ZERO_ADDRESS, value });
    return;
  }
  const flow = flows.find((one) => one.contract === address && isOf(one));
  if (flow === undefined) return;
  const { owner, receiver, id, idFrom } = flow.fields;
  const first = id ?? idFrom;
  if (flow.action === 'deposit') logStore.logs.deposits.add(at.transaction);
  if (flow.action === 'deposit' || flow.action === 'exit') return;
  const said = queueEventOf(flow.action, flow, log);
  logStore.logs.queue.push(said);
  if (flow.action === 'settle' && first !== undefined) {
    for (const range of said.numbers!) {
      logStore.logs.settled.push({ block: at.block, vault: address, ...range });
    }
  }
  if (flow.action === 'move') {
    const moved = (one: (typeof logStore.logs.requests)[number]) =>
      one.vault === address && one.id === said.numbers![0]!.from;
    const known = logStore.logs.requests.filter(moved).map(({ controller }) => controller);
    for (const controller of said.wallet === null ? new Set(known) : [said.wallet]) {
      const renumbered = { vault: address, side: 'redeem' as const, controller, id: said.next! };
      logStore.logs.requests.push({ ...at, ...renumbered });
    }
  }
  if (flow.action !== 'request') return;
  const controller = addressAt(log, (receiver ?? owner)!);
  const number = id === undefined ? null : numberAt(log, id);
  logStore.logs.requests.push({ ...at, vault: address, side: 'redeem', controller, id: number });
}

async function worthOf(described: Described, shares: bigint): Promise<bigint | undefined> {
  const { rated, ask, call, shareDecimals } = described;
  const { rate, unit } = rated;
  const decimals = 'decimals() view returns (uint8)';
  const unitDecimals =
    unit.kind === 'currency' ? unit.decimals : await ask<number>(unit.token, decimals);
  if (unitDecimals === undefined) return undefined;
  const found = await readRate(described, unitDecimals);
  if (found === undefined) return undefined;
  const [value, digits] = found;
  const [above, below] = rate.inverse
    ? [10n ** BigInt(digits), value]
    : [value, 10n ** BigInt(digits)];
  const [assetUnit, shareUnit] = [10n ** BigInt(unitDecimals), 10n ** BigInt(shareDecimals)];
  return (shares * above * assetUnit) / (below * shareUnit);

  /** The rate with its decimals; undefined while it must not be used. */
  async function readRate(
    { time }: Described,
    ownDecimals: number,
  ): Promise<readonly [bigint, number] | undefined> {
    if (rate.kind === 'fixed') {
      const [whole = '', fraction = ''] = rate.value.split('.');
      return [BigInt(whole + fraction), fraction.length];
    }
    // A number that is far ahead of the block is not a time, and would never be old.
    const isOld = async (updatedAt: bigint | number) =>
      rate.maxAge !== null && Math.abs((await time()) - Number(updatedAt)) > rate.maxAge;
    if (rate.kind === 'feed') {
      const round = 'latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)';
      const answer = await ask<readonly bigint[]>(rate.contract, round);
      const feedDecimals = await ask<number>(rate.contract, decimals);
      if (answer === undefined || feedDecimals === undefined || answer[1]! <= 0n) return undefined;
      return (await isOld(answer[3]!)) ? undefined : [answer[1]!, feedDecimals];
    }
    const answer = await call(rate.contract, rate.data);
    const value = wordIn(answer, rate.answer);
    if (rate.bad !== null && wordIn(answer, rate.bad) !== 0n) return undefined;
    if (rate.paused !== null && (await wordOf(call, rate.paused)) !== 0n) return undefined;
    if (value === undefined || value === 0n || (rate.signed && value >> 255n === 1n)) {
      return undefined;
    }
    const updatedAt = rate.updatedAt === null ? null : wordIn(answer, rate.updatedAt);
    if (updatedAt === undefined || (updatedAt !== null && (await isOld(updatedAt)))) {
      return undefined;
    }
    return [value, rate.decimals === 'unit' ? ownDecimals : rate.decimals];
  }
}

async function wordOf(call: CallContract, { contract, data, answer }: RatedCall) {
  return wordIn(await call(contract, data), answer);
}

function wordIn(answer: string | null, index: number): bigint | undefined {
  const word = answer?.slice(2 + index * 64, 66 + index * 64) ?? '';
  return word.length === 64 ? BigInt(`0x${word}`) : undefined;
}

function numberAt({ topics, data }: RawLog, location: FieldPlace): bigint {
  return 'topic' in location
    ? BigInt(topics[location.topic]!)
    : (wordIn(data, location.word) ?? 0n);
}

function queueEventOf(action: QueueEvent['action'], flow: RatedFlow, log: RawLog): QueueEvent {
  const { owner, receiver, shares, assets, fee, assetsFee, id, idFrom, idTo } = flow.fields;
  // A request belongs to its receiver; the event that ends it contains its owner, and the recipient of the payment.
  const holder = action === 'request' ? (receiver ?? owner) : (owner ?? receiver);
  const first = id ?? idFrom;
  const last = idTo === undefined ? null : numberAt(log, idTo);
  const numbers =
    first === undefined
      ? null
      : numbersAt(log, first).map((from) => ({
          from,
          to: idFrom === undefined ? from : last!,
        }));
  return {
    block: log.blockNumber,
    transaction: log.transactionHash,
    contract: flow.contract,
    action,
    wallet: holder === undefined ? null : addressAt(log, holder),
    numbers,
    next: action === 'move' ? last : null,
    shares: shares === undefined ? null : numberAt(log, shares),
    fee: fee === undefined ? 0n : numberAt(log, fee),
    assets:
      assets === undefined
        ? null
        : numberAt(log, assets) - (assetsFee === undefined ? 0n : numberAt(log, assetsFee)),
  };
}

/** One entry per number of a list. */
function numbersAt(log: RawLog, location: FieldPlace): bigint[] {
  const first = numberAt(log, location);
  if ('topic' in location || !location.list) return [first];
  const at = Number(first / 32n);
  const count = Number(wordIn(log.data, at) ?? 0n);
  return Array.from({ length: count }, (_, i) => wordIn(log.data, at + 1 + i) ?? 0n);
}

function addressAt({ topics, data }: RawLog, location: FieldPlace): Address {
  if ('topic' in location) return addressInWord(topics[location.topic]!);
  return addressInWord(`0x${data.slice(2 + location.word * 64, 66 + location.word * 64)}`);
}
