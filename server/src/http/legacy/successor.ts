import type { ChainConfig, Config, FamilyChainConfig, FamilyConfig } from '../../config/config.ts';
import { lower } from '../../domain/hex.ts';
import { checksummed, isAddress, isRightlySpelled, WRONG_CHECKSUM } from '../checksum.ts';

/** The resolved parts of a legacy URL; undefined if unknown here. */
export interface Deployment {
  readonly network: string;
  readonly vaultAddress: string;
  readonly userAddress: string | undefined;
  readonly chain: Pick<ChainConfig, 'chainId' | 'name'> | undefined;
  readonly family: FamilyConfig | undefined;
  /** Checksummed. */
  readonly wallet: string | undefined;
}

/** Finds the chain by name or id and the family by vault, and reads the wallet. */
export function findDeployment(
  { chains, families }: Pick<Config, 'chains' | 'families'>,
  path: Readonly<Record<string, string>>,
): Deployment {
  const { network = '', vaultAddress = '', userAddress } = path;
  const chain = chains.find(({ chainId, name }) => {
    return String(chainId) === network || name === network.toLowerCase();
  });
  const family = findFamily(families, lower(vaultAddress), chain?.chainId);
  const isWallet = userAddress !== undefined && isAddress(userAddress);
  const wallet =
    isWallet && isRightlySpelled(userAddress) ? checksummed(lower(userAddress)) : undefined;
  return { network, vaultAddress, userAddress, chain, family, wallet };
}

/** An address may be the vault of different families on different chains: prefer the requested chain. */
function findFamily(families: readonly FamilyConfig[], vault: string, chainId: number | undefined) {
  const there = families.find(({ chains }) =>
    chains.some((chain) => chain.chainId === chainId && isVault(chain, vault)),
  );
  return there ?? families.find(({ chains }) => chains.some((chain) => isVault(chain, vault)));
}

function isVault({ address, vaults }: FamilyChainConfig, asked: string): boolean {
  return address === asked || vaults.some((vault) => vault === asked);
}

/** Fills `/v1/vaults/{slug}` with the known values; null if one is missing. */
export function fill(template: string, { chain, family, wallet }: Deployment): string | null {
  const values: Readonly<Record<string, string | undefined>> = {
    slug: family?.slug,
    walletAddress: wallet,
    chainId: chain?.chainId.toString(),
  };
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  if (names.some((name) => values[name] === undefined)) return null;
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!));
}

/** Describes the replacement of a route without an equivalent, for the 410 and `assay migrate-url`. */
export function describeReplacement(
  successor: string,
  { family }: Deployment,
  base: string,
): string {
  const named = (template: string) => base + template.replace('{slug}', family?.slug ?? '{slug}');
  return `This route has no equivalent: the wallet route replaces it, GET ${named(successor)}. The sum over all wallets is stats.pendingRedemptionAssets of GET ${named('/v1/vaults/{slug}')}.`;
}

/** Describes what could not be found, one sentence each. */
export function describeUnknown(deployment: Deployment): string[] {
  const { chain, family, wallet, userAddress } = deployment;
  const there = family?.chains.find(({ chainId }) => chainId === chain?.chainId);
  const sentences: string[] = [];
  if (chain === undefined)
    sentences.push(`The network ${shown(deployment.network)} is unknown here.`);
  if (family === undefined) {
    const advice = 'GET /v1/vaults lists the families with their addresses.';
    sentences.push(`The vault ${shown(deployment.vaultAddress)} is unknown here; ${advice}`);
  } else if (chain !== undefined && there === undefined) {
    sentences.push(`The family ${family.slug} is not on ${chain.name}.`);
  } else if (there !== undefined && !isVault(there, lower(deployment.vaultAddress))) {
    const own = checksummed(there.address);
    sentences.push(`The vault of ${family.slug} on ${chain!.name} is ${own}.`);
  }
  if (userAddress !== undefined && wallet === undefined) {
    const wrong = isAddress(userAddress)
      ? WRONG_CHECKSUM
      : 'is not an address: 0x and 40 hexadecimal digits';
    sentences.push(`${shown(userAddress)} ${wrong}.`);
  }
  return sentences;
}

/** Long enough for an address. */
function shown(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text);
}
