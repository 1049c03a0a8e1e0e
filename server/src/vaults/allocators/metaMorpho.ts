import { addressAt, fn, stringAt } from '../../chain/abi.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../../domain/hex.ts';
import { POOL_STATUS, VENUE } from '../../domain/vault/event.ts';
import { POOL_SHARES } from '../../domain/vault/state.ts';
import { addressIn, numberIn } from '../callResult.ts';
import type { CallResult, Rounds, VaultOnChain } from '../kind.ts';
import { least } from '../reportedState.ts';
import type { AllocatedPool, Allocation, Allocator } from './allocator.ts';
import { accrued, type MorphoMarket, supplyWorth } from './morphoMath.ts';

const morpho = fn('MORPHO()');
const queueLength = fn('withdrawQueueLength()');
const queueAt = fn('withdrawQueue(uint256)');
const position = fn('position(bytes32,address)');
const market = fn('market(bytes32)');
const marketParams = fn('idToMarketParams(bytes32)');
const symbol = fn('symbol()');
/** The arguments are the market's parameters and its state, eleven words in all. */
const borrowRate = fn(
  'borrowRateView((address,address,address,address,uint256),(uint128,uint128,uint128,uint128,uint128,uint128))',
);

interface Market {
  readonly id: Hex;
  readonly shares: bigint;
  readonly state: MorphoMarket;
  readonly stateWords: readonly bigint[];
  readonly collateral: Address;
  readonly irm: Address | null;
  readonly lltv: bigint;
  readonly paramWords: readonly bigint[];
}

/** MetaMorpho: the markets of its withdraw queue, each at the value of its supply at the block's time. */
export function metaMorpho({ chain, ...named }: Omit<VaultOnChain, 'found'>): Allocator {
  const asset = named.asset!;
  const vault = chain.address;
  const symbols = new Map<Address, string>();
  return { name: 'MetaMorpho', read };

  function* read(time: number): Rounds<Allocation | null> {
    const [blueWord, lengthWord] = yield [
      { to: vault, data: morpho() },
      { to: vault, data: queueLength() },
    ];
    const blue = addressIn(blueWord);
    const length = numberIn(lengthWord);
    if (blue === null || length === null) return null;
    const ids = yield Array.from({ length: Number(length) }, (_, i) => ({
      to: vault,
      data: queueAt(BigInt(i)),
    }));
    if (ids.includes(null)) return null;
    const answers = yield (ids as Hex[]).flatMap((id) => [
      { to: blue, data: position(id, vault) },
      { to: blue, data: market(id) },
      { to: blue, data: marketParams(id) },
    ]);
    const markets = (ids as Hex[]).map((id, i) => marketOf(id, answers.slice(i * 3, i * 3 + 3)));
    if (markets.includes(null)) return null;
    const known = markets as Market[];
    const rates = yield* readRates(known);
    yield* readSymbols([asset, ...known.map(({ collateral }) => collateral)]);
    if (rates === null) return null;
    return {
      pools: known.map((one, i) => poolOf(one, accrued(one.state, rates[i]!, BigInt(time)), blue)),
      // The vault does not count its own balance.
      idle: 0n,
    };
  }

  function* readRates(markets: readonly Market[]): Rounds<bigint[] | null> {
    const asked = markets.filter(({ irm, state }) => irm !== null && state.borrowAssets > 0n);
    const answers = yield asked.map(({ irm, paramWords, stateWords }) => ({
      to: irm!,
      data: borrowRate(...paramWords, ...stateWords),
    }));
    const rates = answers.map((answer) => numberIn(answer));
    if (rates.includes(null)) return null;
    return markets.map((one) => rates[asked.indexOf(one)] ?? 0n);
  }

  /** Read once per token. */
  function* readSymbols(tokens: readonly Address[]): Rounds<void> {
    const unknown = tokens.filter((token) => token !== ZERO_ADDRESS && !symbols.has(token));
    const answers = yield unknown.map((to) => ({ to, data: symbol() }));
    for (const [i, token] of unknown.entries()) symbols.set(token, textIn(answers[i] ?? null));
  }

  function poolOf(one: Market, now: MorphoMarket, blue: Address): AllocatedPool {
    const value = supplyWorth(one.shares, now);
    const isIdle = one.collateral === ZERO_ADDRESS;
    const part = { chainId: chain.chainId, share: 1 };
    const base = symbols.get(asset) ?? '';
    const backing = symbols.get(one.collateral) ?? '';
    return {
      pool: {
        poolId: one.id,
        offchainId: `${chain.chainId}:morpho:${one.id}`,
        venue: blue,
        venueKind: VENUE.plain,
        idleOnly: isIdle,
        status: POOL_STATUS.active,
        riskScore: 0,
        epoch: 0,
        name: isIdle ? `${base} idle` : `${backing} / ${base} ${percent(one.lltv)}`,
        protocolName: 'Morpho',
        composition: [
          { kind: 'underlying', address: asset, symbol: base, ...part },
          ...(isIdle
            ? []
            : [{ kind: 'collateral' as const, address: one.collateral, symbol: backing, ...part }]),
        ],
      },
      state: {
        poolId: one.id,
        value,
        pendingExit: 0n,
        availableLiquidity: least(value, now.supplyAssets - now.borrowAssets),
        sharePrice: supplyWorth(POOL_SHARES, now),
        statedRate: null,
        rewardPerYear: 0n,
      },
    };
  }
}

function marketOf(id: Hex, answers: readonly CallResult[]): Market | null {
  const [held, state, params] = answers;
  const shares = numberIn(held);
  const stateWords = wordsIn(state, 6);
  const paramWords = wordsIn(params, 5);
  if (shares === null || stateWords === null || paramWords === null) return null;
  const [supplyAssets, supplyShares, borrowAssets, , lastUpdate, fee] = stateWords;
  const irm = addressAt(params!, 3);
  return {
    id,
    shares,
    state: {
      supplyAssets: supplyAssets!,
      supplyShares: supplyShares!,
      borrowAssets: borrowAssets!,
      lastUpdate: lastUpdate!,
      fee: fee!,
    },
    stateWords,
    collateral: addressAt(params!, 1),
    irm: irm === ZERO_ADDRESS ? null : irm,
    lltv: paramWords[4]!,
    paramWords,
  };
}

function wordsIn(answer: CallResult | undefined, count: number): bigint[] | null {
  const words = Array.from({ length: count }, (_, i) => numberIn(answer, i));
  return words.includes(null) ? null : (words as bigint[]);
}

/** 0.86 × 10^18 → 86 %. */
function percent(lltv: bigint): string {
  return `${Number(lltv / 10n ** 13n) / 1000} %`;
}

function textIn(answer: CallResult): string {
  try {
    return answer === null ? '' : stringAt(answer, 0).replaceAll('\0', '');
  } catch {
    return '';
  }
}
