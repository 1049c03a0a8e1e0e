import { fn } from '../../chain/abi.ts';
import type { AdapterName } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { KINDS } from '../index.ts';
import { LIMIT_NAMES } from './limits.ts';
import { findImplementation, type Implementation } from './proxy.ts';
import { addressIn, ask, isContract, type Look, numberIn } from './readContract.ts';
import { readTokenFacts, type TokenFacts } from './token.ts';

const asset = fn('asset()');
const totalAssets = fn('totalAssets()');
const totalSupply = fn('totalSupply()');
const convertToAssets = fn('convertToAssets(uint256)');
const balanceOf = fn('balanceOf(address)');
const getRate = fn('getRate()');
const share = fn('share()');
const authority = fn('authority()');
const vaultOf = fn('vault(address)');
/** No contract has a function of this name. */
const nothing = fn('noFunctionOfThisNameIsHere(uint256)');

export type KnownToken = TokenFacts & { readonly decimals: number };

/** A contract's description of itself, once its kind is known. */
export interface RecognizedVault {
  readonly kind: AdapterName;
  /** The evidence that distinguishes it from other kinds. */
  readonly by: string;
  readonly address: Address;
  readonly asset: KnownToken;
  /** The vault itself, or a separate contract. */
  readonly share: KnownToken;
  readonly authority: Address | null;
  /** Set if it is a proxy. */
  readonly implementation: Implementation | null;
}

export interface NotRecognized {
  readonly kind: null;
  /** A clause that continues after the address. */
  readonly reason: string;
  /** There is no contract, so it may be on another chain. */
  readonly empty: boolean;
}

/** Identifies the vault at an address; calls pass through proxies. */
export async function recognizeVault(
  look: Look,
  address: Address,
): Promise<RecognizedVault | NotRecognized> {
  if (!(await isContract(look, address))) {
    return { kind: null, reason: 'has no contract', empty: true };
  }
  if (await answersAnything(look, address)) {
    return unknown('returns the same for every call, so its kind cannot be determined');
  }
  for (const kind of Object.values(KINDS)) {
    const by = await kind.recognize(look, address);
    if (by !== null) return describe(look, address, kind.name, by);
  }
  return unknown(await whatElse(look, address));
}

/** Whether it responds to a call that no contract has: then its responses prove nothing. */
export async function answersAnything(look: Look, address: Address): Promise<boolean> {
  const [anything] = await ask(look, address, [nothing(1n)]);
  return anything !== null;
}

async function describe(
  look: Look,
  address: Address,
  kind: AdapterName,
  by: string,
): Promise<RecognizedVault | NotRecognized> {
  const [assetWord, shareWord, authorityWord] = await ask(look, address, [
    asset(),
    share(),
    authority(),
  ]);
  const assetFacts = await readTokenFacts(look, addressIn(assetWord)!);
  const shareFacts = await readTokenFacts(look, addressIn(shareWord) ?? address);
  if (!hasDecimals(assetFacts)) return unknown('has an asset without decimals()');
  if (!hasDecimals(shareFacts)) return unknown('has a share token without decimals()');
  return {
    kind,
    by,
    address,
    asset: assetFacts,
    share: shareFacts,
    authority: addressIn(authorityWord),
    implementation: await findImplementation(look, address),
  };
}

function hasDecimals(token: TokenFacts): token is KnownToken {
  return token.decimals !== null;
}

/** Describes other contracts that an operator may have confused with a vault. */
async function whatElse(look: Look, address: Address): Promise<string> {
  const [assetWord, vaultWord, supply, balance, rate] = await ask(look, address, [
    asset(),
    vaultOf(address),
    totalSupply(),
    balanceOf(address),
    getRate(),
  ]);
  if (addressIn(assetWord) !== null) return whyNoVault(look, address);
  if (supply === null && numberIn(rate) !== null) {
    return 'is neither a vault nor a token: it states a rate (getRate()), as the accountant or the oracle of a vault does';
  }
  const token = await readTokenFacts(look, address);
  if (token.decimals === null || supply === null || balance === null) {
    return 'is a contract, but neither a vault nor a token';
  }
  const shown = token.symbol === null ? 'a token' : `the token ${token.symbol}`;
  if (numberIn(vaultWord) !== null) {
    return `is ${shown}, the share of vaults that stand elsewhere: name those`;
  }
  return `is ${shown} without asset() and totalAssets(): no vault of a known kind (a share that was bridged here, and a vault without ERC-4626, look like this)`;
}

/** Returns why a contract with asset() is no plain vault. */
async function whyNoVault(look: Look, address: Address): Promise<string> {
  const [shareWord, total, converted] = await ask(look, address, [
    share(),
    totalAssets(),
    convertToAssets(1n),
  ]);
  const [supply] = await ask(look, addressIn(shareWord) ?? address, [totalSupply()]);
  const failing = [
    ...(total === null ? ['totalAssets()'] : []),
    ...(converted === null ? ['convertToAssets()'] : []),
    ...(supply === null ? ['totalSupply()'] : []),
  ];
  if (failing.length === 0) {
    return `converts as ERC-4626 does, but has none of ${LIMIT_NAMES}: its deposits and exits have events of its own, and no cost could be served`;
  }
  const names = failing.join(' and ');
  if (numberIn(supply) === 0n) {
    return `has asset(), but ${names} fails while it has no shares: try again after the first deposit`;
  }
  return `has asset(), but ${names} fails: no vault of a known kind`;
}

function unknown(reason: string): NotRecognized {
  return { kind: null, reason, empty: false };
}
