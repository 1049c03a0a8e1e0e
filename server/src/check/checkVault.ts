import { fn } from '../chain/abi.ts';
import { StateUnavailable } from '../chain/rpcError.ts';
import type { Address } from '../domain/hex.ts';
import { KINDS } from '../vaults/index.ts';
import { type RecognisedVault, recogniseVault } from '../vaults/recognise/index.ts';
import { ask, isContract, type Look, numberIn } from '../vaults/recognise/look.ts';
import { type CheckLine, fail, pass } from './line.ts';
import type { Place } from './places.ts';

const totalSupply = fn('totalSupply()');

/** The vault itself: there, of the kind that the file says, over the tokens that the file says. */
export async function checkVault(
  look: Look,
  place: Place,
): Promise<{ lines: CheckLine[]; vault: RecognisedVault | null }> {
  const { family, chain, name, key, addressKey, familyKey } = place;
  if (chain.startBlock > look.block) {
    const reason = `${chain.startBlock} is above the head ${look.block}`;
    return { lines: [fail(`${key}.startBlock`, reason, 'lower it')], vault: null };
  }
  const vault = await recogniseVault(look, chain.address);
  if (vault.kind === null) {
    const reason = `${chain.address} on chain ${chain.chainId} ${vault.reason}`;
    const fix = vault.empty ? 'correct the address or the chain' : 'name a vault';
    return { lines: [fail(addressKey, reason, fix)], vault: null };
  }
  if (vault.kind !== family.adapter) {
    const reason = `${family.slug} on chain ${chain.chainId} is ${vault.kind}, known by ${vault.by}, and not ${family.adapter}`;
    const fix = `write adapter: ${vault.kind}`;
    return { lines: [fail(`${familyKey}.adapter`, reason, fix)], vault: null };
  }
  const { share, asset } = vault;
  const lines = [
    pass(`${name}: ${share.symbol ?? ''} over ${asset.symbol ?? ''} (${asset.decimals} decimals)`),
  ];
  if (chain.asset !== undefined && chain.asset !== asset.address) {
    const reason = `the vault's asset is ${asset.address}, and not ${chain.asset}`;
    lines.push(fail(`${key}.asset`, reason, 'correct it, or leave it out'));
  }
  lines.push(...checkKeys(place));
  lines.push(...(await checkStart(look, place, share.address)));
  for (const [i, address] of chain.vaults.entries()) {
    lines.push(await checkFurther(look, `${key}.vaults[${i}]`, address, vault));
  }
  lines.push(...(await checkMaster(look, place)));
  return { lines, vault };
}

const KEYS = ['oracle', 'registry', 'routers', 'custody', 'vaults'] as const;

/** A key that says nothing to the kind is a mistake: whoever wrote it expects something of it. */
function checkKeys({ family, chain, key }: Place): CheckLine[] {
  const known = KINDS[family.adapter].keys;
  return KEYS.filter((one) => {
    const given = chain[one];
    return given !== undefined && given.length > 0 && !known.includes(one);
  }).map((one) => fail(`${key}.${one}`, `means nothing to ${family.adapter}`, 'remove it'));
}

/** Shares that are older than the first block that is read would be nobody's. */
async function checkStart(look: Look, place: Place, share: Address): Promise<CheckLine[]> {
  const before = place.chain.startBlock - 1;
  if (before < 0) return [];
  try {
    const [supply] = await ask({ ...look, block: before }, share, [totalSupply()]);
    if ((numberIn(supply) ?? 0n) === 0n) return [];
    const reason = `${place.family.slug} has shares in block ${before} already`;
    return [fail(`${place.key}.startBlock`, reason, 'start at the block that created the vault')];
  } catch (error) {
    // Whether the node keeps old state is not asked here.
    if (error instanceof StateUnavailable) return [];
    throw error;
  }
}

async function checkFurther(
  look: Look,
  key: string,
  address: Address,
  first: RecognisedVault,
): Promise<CheckLine> {
  const vault = await recogniseVault(look, address);
  if (vault.kind === null) return fail(key, `${address} ${vault.reason}`, 'correct the address');
  if (vault.kind !== first.kind) {
    const reason = `${address} is ${vault.kind}, and the family's vault ${first.kind}`;
    return fail(key, reason, 'make it a family of its own');
  }
  if (vault.share.address !== first.share.address) {
    const reason = `its share token is ${vault.share.address}, and that of the family's vault ${first.share.address}`;
    return fail(key, reason, 'make it a family of its own');
  }
  return pass(`${key}: over the same share, for ${vault.asset.symbol ?? vault.asset.address}`);
}

async function checkMaster(look: Look, place: Place): Promise<CheckLine[]> {
  const { master, familyKey, chain } = place;
  if (master === null) return [];
  const there = master.chains.find(({ chainId }) => chainId === chain.chainId);
  const key = `${familyKey}.feederOf`;
  if (there === undefined) {
    const reason = `${master.slug} is not on chain ${chain.chainId}, where this family feeds it`;
    return [fail(key, reason, `add the chain to ${master.slug}, or remove it here`)];
  }
  if (await isContract(look, there.address)) return [];
  const reason = `${master.slug} has no contract at ${there.address} on chain ${chain.chainId}`;
  return [fail(key, reason, `correct the address of ${master.slug}`)];
}
