import { fn } from '../chain/abi.ts';
import type { FamilyChainConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import type { DepositLimit, ExitFee, HolderLimit } from '../domain/vault/exitTerms.ts';
import { numberIn } from './callResult.ts';
import type { CallResult, Rounds } from './kind.ts';

/** A vault of which the terms of exits are read. */
export interface ExitVault {
  readonly chain: FamilyChainConfig;
  /** Null for a currency, which is not a token. */
  readonly asset: Address | null;
  readonly share: Address;
  /** One share: 10^decimals. */
  readonly unit: bigint;
  /** The requested amount, before any exit fee. */
  readonly assets: bigint | null;
  /** The largest holders. */
  readonly holders: readonly Address[];
}

const convertToAssets = fn('convertToAssets(uint256)');
const convertToShares = fn('convertToShares(uint256)');
const previewRedeem = fn('previewRedeem(uint256)');
const balanceOf = fn('balanceOf(address)');
const maxWithdraw = fn('maxWithdraw(address)');
const maxDeposit = fn('maxDeposit(address)');
const paused = fn('paused()');

/** No contract gives this account permissions. */
const OUTSIDER: Address = '0x000000000000000000000000000000000000dead';
/** Limits from here on are none. */
const UNLIMITED = 1n << 128n;
/** Enough digits of a fee, if no amount is requested. */
const SHARES = 1_000n;

export const commonCalls = ({ chain, assets }: ExitVault) => [
  { to: chain.address, data: paused() },
  { to: chain.address, data: maxDeposit(OUTSIDER) },
  ...(assets === null ? [] : [{ to: chain.address, data: convertToShares(assets) }]),
];

/** What most vaults state, in the order of the calls. */
export function commonIn({ unit, assets }: ExitVault, answers: readonly CallResult[]) {
  const isPaused = numberIn(answers[0]);
  return {
    // Other numbers are of a function of another meaning.
    paused: isPaused === 0n || isPaused === 1n ? isPaused === 1n : null,
    deposits: depositLimitIn(answers[1]),
    shares: assets === null ? unit * SHARES : numberIn(answers[2]),
  };
}

function depositLimitIn(answer: CallResult | undefined): DepositLimit | null {
  const assets = numberIn(answer);
  return assets === null ? null : { assets: assets >= UNLIMITED ? null : assets };
}

/** Null where the vault does not preview redemptions, or states more than it converts. */
export function* readFee(vault: Address, shares: bigint | null): Rounds<ExitFee | null> {
  if (shares === null) return null;
  const [converted, previewed] = yield [
    { to: vault, data: convertToAssets(shares) },
    { to: vault, data: previewRedeem(shares) },
  ];
  const [gross, net] = [numberIn(converted), numberIn(previewed)];
  return gross === null || net === null || net > gross ? null : { gross, net };
}

/** Leaves out holders of whom the vault does not answer. */
export function* readHolderLimits(vault: ExitVault): Rounds<HolderLimit[]> {
  const { chain, share, holders } = vault;
  const first = yield holders.flatMap((holder) => [
    { to: share, data: balanceOf(holder) },
    { to: chain.address, data: maxWithdraw(holder) },
  ]);
  const known = holders.flatMap((_, i) => {
    const [shares, most] = [numberIn(first[2 * i]), numberIn(first[2 * i + 1])];
    return shares === null || shares === 0n || most === null ? [] : [{ shares, most }];
  });
  const second = yield known.flatMap(({ shares }) => [
    { to: chain.address, data: convertToAssets(shares) },
    { to: chain.address, data: previewRedeem(shares) },
  ]);
  return known.flatMap(({ most }, i) => {
    const gross = numberIn(second[2 * i]);
    if (gross === null) return [];
    const net = numberIn(second[2 * i + 1]) ?? gross;
    return [{ maxWithdraw: most, gross, net }];
  });
}
