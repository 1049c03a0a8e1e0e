import { findImplementation } from '../vaults/recognize/proxy.ts';
import { readTokenFacts } from '../vaults/recognize/token.ts';
import { type PresetMatch, shareOf } from './findPreset.ts';
import { type DraftAsset, type DraftVault, type FoundVault, firstOf } from './findVault.ts';
import type { OpenChain } from './openChains.ts';

/** Resolves a share token with a rate, as its preset describes it; returns a text if that fails. */
export async function describeRated(
  { look }: OpenChain,
  address: DraftVault['address'],
  { preset, by, roles }: PresetMatch,
): Promise<DraftVault | string> {
  const share = shareOf(address, preset, roles);
  if (share === undefined) return `does not name its share token, as ${preset.name} does`;
  const facts = await readTokenFacts(look, share);
  const { decimals } = facts;
  if (decimals === null) return 'has a share token without decimals()';
  return {
    kind: 'rated',
    by,
    address,
    asset: await unitOf(),
    share: { ...facts, decimals },
    authority: null,
    implementation: await findImplementation(look, address),
  };

  async function unitOf(): Promise<DraftAsset> {
    const { unit = {} } = preset.read.rated;
    const { currency = null, token } = unit;
    const found = roles.find(({ role }) => role === token)?.address;
    if (found) return readTokenFacts(look, found);
    return { address: null, symbol: currency, name: null, decimals: unit.decimals ?? null };
  }
}

/** Nothing else is searched: the preset names all contracts. */
export async function findAroundRated(
  chain: OpenChain,
  vault: DraftVault,
  rated: PresetMatch,
): Promise<FoundVault> {
  return {
    chain,
    vault,
    rated,
    further: [],
    startBlock: await firstOf(chain, [vault.address, vault.share.address]),
    custody: [],
    routers: [],
    outsideQueue: null,
    price: null,
    feeds: null,
    allocator: null,
    otherAssets: [],
    unseen: null,
    unseenRedemptions: [],
    wrapped: null,
  };
}
