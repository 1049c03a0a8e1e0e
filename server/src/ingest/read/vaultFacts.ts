import { fn, stringAt, wordAt } from '../../chain/abi.ts';
import type { ChainClient } from '../../chain/chainClient.ts';
import type { RatedConfig } from '../../config/rated/description.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import type { VaultRow } from '../../store/vaults/vaults.ts';
import { addressIn } from '../../vaults/callResult.ts';
import type { FamilySource } from '../sources.ts';

const asset = fn('asset()');
const share = fn('share()');
const authority = fn('authority()');
const symbol = fn('symbol()');
const name = fn('name()');
const decimals = fn('decimals()');

/** A configured contract does not respond as it should. */
export class NotAVault extends Error {
  constructor(source: { key: string; chainId: number }, missing: string) {
    super(
      `${source.key} on chain ${source.chainId} does not answer ${missing}: check its address in the configuration`,
    );
    this.name = 'NotAVault';
  }
}

/** What the chain reports about a vault and its tokens. The configuration adds text that the chain lacks. */
export async function readVaultFacts(
  client: ChainClient,
  source: FamilySource,
  familyId: number,
  block: number,
): Promise<VaultRow> {
  const { baseAsset, shareAsset } = source.family;
  const { address, rated } = source.chain;
  if (rated !== undefined) return readRatedFacts(client, source, familyId, block, rated);
  const calls = [asset(), share(), authority()].map((data) => ({ to: address, data }));
  const [assetWord, shareWord, authorityWord] = await client.multicall(calls, block);
  const assetAddress = addressIn(assetWord);
  if (assetAddress === null) throw new NotAVault(source, 'asset()');
  const shareAddress = addressIn(shareWord) ?? address;
  const [assetText, shareText] = await Promise.all([
    readToken(client, assetAddress, block),
    readToken(client, shareAddress, block),
  ]);
  if (assetText.decimals === null) throw new NotAVault(source, 'decimals() of its asset');
  if (shareText.decimals === null) throw new NotAVault(source, 'decimals()');
  return {
    familyId,
    chainId: source.chainId,
    address,
    authority: addressIn(authorityWord),
    asset: assetAddress,
    assetSymbol: assetText.symbol ?? baseAsset.symbol ?? '',
    assetName: assetText.name ?? baseAsset.name ?? '',
    assetDecimals: assetText.decimals,
    share: shareAddress,
    shareSymbol: shareText.symbol ?? shareAsset.symbol ?? '',
    shareName: shareText.name ?? shareAsset.name ?? '',
    shareDecimals: shareText.decimals,
  };
}

/** Reads the facts of a share token that the configuration describes. It has no functions for its unit and authority. */
async function readRatedFacts(
  client: ChainClient,
  source: FamilySource,
  familyId: number,
  block: number,
  { share, unit }: RatedConfig,
): Promise<VaultRow> {
  const { family, chainId, chain } = source;
  const [unitText, shareText] = await Promise.all([
    unit.kind === 'token'
      ? readToken(client, unit.token, block)
      : { symbol: null, name: null, decimals: unit.decimals },
    readToken(client, share, block),
  ]);
  if (unitText.decimals === null) throw new NotAVault(source, 'decimals() of its unit');
  if (shareText.decimals === null) throw new NotAVault(source, 'decimals()');
  const currency = unit.kind === 'currency' ? unit.currency : '';
  return {
    familyId,
    chainId,
    address: chain.address,
    authority: null,
    asset: unit.kind === 'token' ? unit.token : null,
    assetSymbol: unitText.symbol ?? family.baseAsset.symbol ?? currency,
    assetName: unitText.name ?? family.baseAsset.name ?? currency,
    assetDecimals: unitText.decimals,
    share,
    shareSymbol: shareText.symbol ?? family.shareAsset.symbol ?? '',
    shareName: shareText.name ?? family.shareAsset.name ?? '',
    shareDecimals: shareText.decimals,
  };
}

async function readToken(client: ChainClient, address: Address, block: number) {
  const calls = [symbol(), name(), decimals()].map((data) => ({ to: address, data }));
  const [symbolData, nameData, decimalsWord] = await client.multicall(calls, block);
  return {
    symbol: textIn(symbolData),
    name: textIn(nameData),
    decimals: decimalsIn(decimalsWord),
  };
}

/** Larger powers of ten do not fit a uint256: such a contract is not a token. */
const MAX_DECIMALS = 77n;

function decimalsIn(word: Hex | null | undefined): number | null {
  if (!word || word.length < 66) return null;
  const decimals = wordAt(word, 0);
  return decimals <= MAX_DECIMALS ? Number(decimals) : null;
}

/** Decodes a string, or the bytes32 that some old tokens return. */
function textIn(data: Hex | null | undefined): string | null {
  if (!data || data.length < 66) return null;
  try {
    const text =
      data.length === 66 ? Buffer.from(data.slice(2), 'hex').toString('utf8') : stringAt(data, 0);
    return text.replaceAll('\0', '') || null;
  } catch {
    return null;
  }
}
