import { fn } from '../../chain/abi.ts';
import type { AdapterName } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { KINDS } from '../index.ts';
import { addressIn, ask, isContract, type Look, numberIn } from './look.ts';
import { findImplementation, type Implementation } from './proxy.ts';
import { readTokenFacts, type TokenFacts } from './token.ts';

const asset = fn('asset()');
const share = fn('share()');
const authority = fn('authority()');
const vaultOf = fn('vault(address)');
/** No contract has a function of this name. */
const nothing = fn('noFunctionOfThisNameIsHere(uint256)');

export type KnownToken = TokenFacts & { readonly decimals: number };

/** What a contract says of itself, once its kind is known. */
export interface RecognisedVault {
  readonly kind: AdapterName;
  /** What it answered, that others do not. */
  readonly by: string;
  readonly address: Address;
  readonly asset: KnownToken;
  /** The vault itself, or a contract of its own. */
  readonly share: KnownToken;
  readonly authority: Address | null;
  /** Set behind a proxy. */
  readonly implementation: Implementation | null;
}

export interface NotRecognised {
  readonly kind: null;
  /** A clause that goes on after the address. */
  readonly reason: string;
  /** Nothing stands there at all, so it may stand on another chain. */
  readonly empty: boolean;
}

/** The vault at an address; calls go through proxies by themselves. */
export async function recogniseVault(
  look: Look,
  address: Address,
): Promise<RecognisedVault | NotRecognised> {
  if (!(await isContract(look, address))) {
    return { kind: null, reason: 'has no contract', empty: true };
  }
  const [anything] = await ask(look, address, [nothing(1n)]);
  if (anything) return unknown('answers every call alike, so nothing can be told of it');
  for (const kind of Object.values(KINDS)) {
    const by = await kind.recognise(look, address);
    if (by !== null) return describe(look, address, kind.name, by);
  }
  return unknown(await whatElse(look, address));
}

async function describe(
  look: Look,
  address: Address,
  kind: AdapterName,
  by: string,
): Promise<RecognisedVault | NotRecognised> {
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

/** What an operator may have taken for a vault. */
async function whatElse(look: Look, address: Address): Promise<string> {
  const [assetWord, vaultWord] = await ask(look, address, [asset(), vaultOf(address)]);
  const token = await readTokenFacts(look, address);
  if (addressIn(assetWord) !== null) {
    return 'has asset(), but not all of totalAssets(), convertToAssets() and totalSupply(): no vault of a known kind';
  }
  if (token.decimals === null) return 'is a contract, but neither a vault nor a token';
  const shown = token.symbol === null ? 'a token' : `the token ${token.symbol}`;
  if (numberIn(vaultWord) !== null) {
    return `is ${shown}, the share of vaults that stand elsewhere: name those`;
  }
  return `is ${shown} without asset() and totalAssets(): no vault of a known kind (a share that was bridged here, and a vault without ERC-4626, look like this)`;
}

function unknown(reason: string): NotRecognised {
  return { kind: null, reason, empty: false };
}
