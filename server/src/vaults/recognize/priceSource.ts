import { fn } from '../../chain/abi.ts';
import { unit } from '../../domain/amount.ts';
import type { Address } from '../../domain/hex.ts';
import { addressIn, ask, isContract, type Look, numberIn } from './readContract.ts';

/** The oracle and entry whose price a receiver-queue vault uses. */
export interface PriceSource {
  readonly oracle: Address;
  /** The function of the vault that returns it; null if the file names it. */
  readonly oracleBy: string | null;
  /** The vault under whose address the price is published. */
  readonly entry: Address;
  /** The function that returns it; null for the vault's own address. */
  readonly entryBy: string | null;
  /** Assets for one share (10^decimals); null while none is published. */
  readonly price: bigint | null;
  /** The vault's own conversion of one share; null if it returns none, as before the first price. */
  readonly ownPrice: bigint | null;
  /** The two are equal, so this is the price that the vault uses. */
  readonly proven: boolean;
}

const ORACLE_NAMES = ['ORACLE_ADDRESS()', 'oracle()', 'ORACLE()', 'priceOracle()'];
/** A vault that feeds another may use that one's price. */
const ENTRY_NAMES = ['YO_USD_ADDRESS()', 'priceEntry()', 'master()', 'masterVault()'];

const convertToAssets = fn('convertToAssets(uint256)');
const getLatestPrice = fn('getLatestPrice(address)');

interface Candidate {
  readonly address: Address;
  readonly by: string | null;
}

/** Returns null if neither the caller nor the vault names an oracle. */
export async function findPriceSource(
  look: Look,
  vault: { readonly address: Address; readonly shareDecimals: number },
  /** The configured addresses, which override those that the vault returns. */
  named: { readonly oracle?: Address; readonly entry?: Address } = {},
): Promise<PriceSource | null> {
  const calls = [...ORACLE_NAMES, ...ENTRY_NAMES].map((name) => fn(name)());
  const answers = await ask(look, vault.address, [
    ...calls,
    convertToAssets(unit(vault.shareDecimals)),
  ]);
  const ownPrice = numberIn(answers.at(-1));
  const candidates = (names: readonly string[], from: number): Candidate[] =>
    names.flatMap((by, i) => {
      const address = addressIn(answers[from + i]);
      return address === null ? [] : [{ address, by }];
    });
  const entries: Candidate[] = [
    ...(named.entry === undefined ? [] : [{ address: named.entry, by: null }]),
    { address: vault.address, by: null },
    ...candidates(ENTRY_NAMES, ORACLE_NAMES.length),
  ];
  const oracles = named.oracle
    ? [{ address: named.oracle, by: null }]
    : await contractsOf(look, candidates(ORACLE_NAMES, 0));
  const sources: PriceSource[] = [];
  for (const oracle of oracles) {
    const prices = await ask(
      look,
      oracle.address,
      entries.map(({ address }) => getLatestPrice(address)),
    );
    entries.forEach((entry, i) => {
      // An oracle without a price reverts or returns zero: none is published, and the shares are not worthless.
      const price = numberIn(prices[i]) || null;
      sources.push({
        oracle: oracle.address,
        oracleBy: oracle.by,
        entry: entry.address,
        entryBy: entry.by,
        price,
        ownPrice,
        proven: price !== null && price === ownPrice,
      });
    });
  }
  return (
    sources.find(({ proven }) => proven) ??
    sources.find(({ price }) => price !== null) ??
    sources[0] ??
    null
  );
}

async function contractsOf(look: Look, candidates: readonly Candidate[]): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const candidate of candidates) {
    if (found.some(({ address }) => address === candidate.address)) continue;
    if (await isContract(look, candidate.address)) found.push(candidate);
  }
  return found;
}
