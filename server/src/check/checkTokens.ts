import type { Config, FamilyChainConfig } from '../config/config.ts';
import type { CheckedVault } from './agreement.ts';
import { type ConfigLocation, getConfigLocations } from './configLocation.ts';
import { type CheckLine, fail, warn } from './line.ts';

/** Chains without an RPC URL whose base asset is not in the file: no other source has it. */
export function checkUnreadAssets(config: Config): CheckLine[] {
  return unreadLocations(config)
    .filter(({ chain }) => chain.asset === undefined && currencyOf(chain) === undefined)
    .map(({ key, chain }) =>
      fail(
        `${key}.asset`,
        `is missing, and chain ${chain.chainId} has no RPC URL to read it from`,
        'add the address of the base asset there',
      ),
    );
}

/** A token has other decimals than amounts in a currency, so it is not served as their asset. */
export function checkCurrencies(config: Config): CheckLine[] {
  return getConfigLocations(config)
    .filter(({ chain }) => chain.asset !== undefined && currencyOf(chain) !== undefined)
    .map(({ key, chain }) =>
      warn(
        `${key}.asset`,
        `is not used, because amounts are in the currency ${currencyOf(chain)}, which has no address`,
        'remove it',
      ),
    );
}

/** A share token that is not the vault has another address on each chain. */
export function checkUnreadShares(config: Config, checked: readonly CheckedVault[]): CheckLine[] {
  const apart = new Set(
    checked
      .filter(({ vault }) => vault.share.address !== vault.address)
      .map(({ location }) => location.family.slug),
  );
  return unreadLocations(config)
    .filter(({ family, chain }) => apart.has(family.slug) && chain.share === undefined)
    .map(({ key, family, chain }) =>
      fail(
        `${key}.share`,
        `is missing: the share token of ${family.slug} is not its vault, and chain ${chain.chainId} has no RPC URL`,
        'add the address of the share token there',
      ),
    );
}

/** Compares the vault's tokens in the file with the vault, and suggests missing ones. */
export function checkTokens({ location, vault }: CheckedVault): CheckLine[] {
  const { chain, key, family } = location;
  const tokens = { asset: vault.asset.address, share: vault.share.address };
  return (['asset', 'share'] as const).flatMap((name) => {
    const given = chain[name];
    if (given !== undefined && given !== tokens[name]) {
      const reason = `the vault's ${name} is ${tokens[name]}, and not ${given}`;
      return [fail(`${key}.${name}`, reason, 'correct it, or remove it')];
    }
    const isKnown = given !== undefined || tokens[name] === vault.address;
    // A family on one chain is not served before that chain was read.
    if (isKnown || family.chains.length === 1) return [];
    const reason = `is missing; the API omits chain ${chain.chainId} from the family until it is read for the first time`;
    return [warn(`${key}.${name}`, reason, `add ${name}: "${tokens[name]}"`)];
  });
}

/** Undefined if amounts are in a token. */
function currencyOf({ rated }: FamilyChainConfig): string | undefined {
  return rated?.unit.kind === 'currency' ? rated.unit.currency : undefined;
}

function unreadLocations(config: Config): ConfigLocation[] {
  const unread = config.chains.filter(({ rpcUrls }) => rpcUrls.length === 0);
  const ids = new Set(unread.map(({ chainId }) => chainId));
  return getConfigLocations(config).filter(({ chain }) => ids.has(chain.chainId));
}
