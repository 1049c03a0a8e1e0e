import { fn } from '../chain/abi.ts';
import type { Address } from '../domain/hex.ts';
import { KINDS } from '../vaults/index.ts';
import { type RecognizedVault, recognizeVault } from '../vaults/recognize/index.ts';
import { ask, isContract, type Look, numberIn } from '../vaults/recognize/readContract.ts';
import { checkStart } from './checkStart.ts';
import { checkTokens } from './checkTokens.ts';
import type { ConfigLocation } from './configLocation.ts';
import { type CheckLine, fail, pass } from './line.ts';

const totalSupply = fn('totalSupply()');

/** Checks the vault itself: it exists, and its kind and tokens are those in the file. */
export async function checkVault(
  look: Look,
  location: ConfigLocation,
): Promise<{ lines: CheckLine[]; vault: RecognizedVault | null }> {
  const { family, chain, name, key, addressKey, familyKey } = location;
  if (chain.startBlock > look.block) {
    const reason = `${chain.startBlock} is above the head ${look.block}`;
    return { lines: [fail(`${key}.startBlock`, reason, 'lower it')], vault: null };
  }
  const vault = await recognizeVault(look, chain.address);
  if (vault.kind === null) {
    const reason = `${chain.address} on chain ${chain.chainId} ${vault.reason}`;
    const fix = vault.empty ? 'correct the address or the chain' : 'name a vault';
    return { lines: [fail(addressKey, reason, fix)], vault: null };
  }
  if (vault.kind !== family.adapter) {
    const reason = `${family.slug} on chain ${chain.chainId} is ${vault.kind}, detected by ${vault.by}, and not ${family.adapter}`;
    const fix = `set adapter: ${vault.kind}`;
    return { lines: [fail(`${familyKey}.adapter`, reason, fix)], vault: null };
  }
  const { share, asset } = vault;
  const readSupply = async (block: number) => {
    const [supply] = await ask({ ...look, block }, share.address, [totalSupply()]);
    return numberIn(supply);
  };
  const lines = [
    pass(`${name}: ${share.symbol ?? ''} over ${asset.symbol ?? ''} (${asset.decimals} decimals)`),
  ];
  lines.push(...checkTokens({ location, vault }));
  lines.push(...checkKeys(location));
  lines.push(...(await checkStart(location, readSupply)));
  for (const [i, address] of chain.vaults.entries()) {
    lines.push(await checkFurther(look, `${key}.vaults[${i}]`, address, vault));
  }
  lines.push(...(await checkMaster(look, location)));
  return { lines, vault };
}

const KEYS = ['oracle', 'registry', 'routers', 'custody', 'vaults'] as const;

/** A key that does not apply to the kind is an error: the operator expects an effect. */
function checkKeys({ family, chain, key }: ConfigLocation): CheckLine[] {
  const known = KINDS[family.adapter].keys;
  return KEYS.filter((one) => {
    const given = chain[one];
    return given !== undefined && given.length > 0 && !known.includes(one);
  }).map((one) => fail(`${key}.${one}`, `has no effect with ${family.adapter}`, 'remove it'));
}

async function checkFurther(
  look: Look,
  key: string,
  address: Address,
  first: RecognizedVault,
): Promise<CheckLine> {
  const vault = await recognizeVault(look, address);
  if (vault.kind === null) return fail(key, `${address} ${vault.reason}`, 'correct the address');
  if (vault.kind !== first.kind) {
    const reason = `${address} is ${vault.kind}, but the family's vault is ${first.kind}`;
    return fail(key, reason, 'make it a separate family');
  }
  if (vault.share.address !== first.share.address) {
    const reason = `its share token is ${vault.share.address}, but that of the family's vault is ${first.share.address}`;
    return fail(key, reason, 'make it a separate family');
  }
  return pass(`${key}: over the same share, for ${vault.asset.symbol ?? vault.asset.address}`);
}

async function checkMaster(look: Look, location: ConfigLocation): Promise<CheckLine[]> {
  const { master, familyKey, chain } = location;
  if (master === null) return [];
  const there = master.chains.find(({ chainId }) => chainId === chain.chainId);
  const key = `${familyKey}.feederOf`;
  if (there === undefined) {
    const reason = `${master.slug} is not on chain ${chain.chainId}, where this family invests in it`;
    return [fail(key, reason, `add the chain to ${master.slug}, or remove it here`)];
  }
  if (await isContract(look, there.address)) return [];
  const reason = `${master.slug} has no contract at ${there.address} on chain ${chain.chainId}`;
  return [fail(key, reason, `correct the address of ${master.slug}`)];
}
