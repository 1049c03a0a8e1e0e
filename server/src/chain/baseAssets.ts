import type { Address, Hex } from '../domain/hex.ts';
import { addressAt, fn, stringAt, wordAt } from './abi.ts';
import { numberAt } from './answers.ts';
import type { ChainClient } from './chainClient.ts';

export interface BaseAsset {
  readonly asset: Address;
  readonly assetDecimals: number;
  /** Empty when the token has none. */
  readonly assetSymbol: string;
}

const asset = fn('asset()');
const decimals = fn('decimals()');
const symbol = fn('symbol()');
/** Powers of ten beyond this do not fit a uint256: whatever answers so is no token. */
const MOST_DECIMALS = 77n;

/** What each vault takes: vaults over one share token (ERC-7575) have an asset each. Null where one does not say. */
export async function readBaseAssets(
  client: ChainClient,
  block: number,
  vaults: readonly Address[],
): Promise<(BaseAsset | null)[]> {
  if (vaults.length === 0) return [];
  const named = await client.multicall(
    vaults.map((to) => ({ to, data: asset() })),
    block,
  );
  const tokens = named.map((answer) => (numberAt(answer, 0) ? addressAt(answer!, 0) : null));
  const calls = tokens.flatMap((to) =>
    to === null ? [] : [decimals(), symbol()].map((data) => ({ to, data })),
  );
  const answers = await client.multicall(calls, block);
  let at = 0;
  return tokens.map((token) => {
    if (token === null) return null;
    const [size, text] = [answers[at++], answers[at++]];
    const found = numberAt(size, 0);
    if (found === null || found > MOST_DECIMALS) return null;
    return { asset: token, assetDecimals: Number(found), assetSymbol: textIn(text) };
  });
}

/** A string, or the 32 bytes that old tokens answer. */
function textIn(answer: Hex | null | undefined): string {
  if (!answer || answer.length < 66) return '';
  try {
    if (answer.length === 66) return bytesText(wordAt(answer, 0));
    return stringAt(answer, 0).replaceAll('\0', '');
  } catch {
    // Its text is decoration: what the wallet has waiting is not.
    return '';
  }
}

function bytesText(word: bigint): string {
  const bytes = Buffer.from(word.toString(16).padStart(64, '0'), 'hex');
  return bytes.toString('utf8').replaceAll('\0', '');
}
