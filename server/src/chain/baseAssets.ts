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
/** Larger powers of ten do not fit a uint256: a contract that returns them is no token. */
const MAX_DECIMALS = 77n;

/**
 * Reads each vault's asset: vaults over one share token (ERC-7575) have different ones. Null if a vault returns none.
 */
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
    if (found === null || found > MAX_DECIMALS) return null;
    return { asset: token, assetDecimals: Number(found), assetSymbol: textIn(text) };
  });
}

/** Decodes a string, or the 32 bytes that old tokens return. */
function textIn(answer: Hex | null | undefined): string {
  if (!answer || answer.length < 66) return '';
  try {
    if (answer.length === 66) return bytesText(wordAt(answer, 0));
    return stringAt(answer, 0).replaceAll('\0', '');
  } catch {
    // The symbol is optional: without it the queue is still readable.
    return '';
  }
}

function bytesText(word: bigint): string {
  const bytes = Buffer.from(word.toString(16).padStart(64, '0'), 'hex');
  return bytes.toString('utf8').replaceAll('\0', '');
}
