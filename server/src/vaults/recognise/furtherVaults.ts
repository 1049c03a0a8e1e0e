import { addressAt, eventTopic, fn, topicAddress } from '../../chain/abi.ts';
import type { Address } from '../../domain/hex.ts';
import { addressIn, ask, type Look } from './look.ts';
import { readRecentLogs } from './recentLogs.ts';

const VAULT_UPDATE = eventTopic('event VaultUpdate(address indexed asset, address vault)');
const vaultOf = fn('vault(address)');

/** A share token has a handful of vaults; one that moved them about has a few logs more. */
const MOST_UPDATES = 200;

/** Other vaults that the share token (ERC-7575) has in force, as far as its logs can be read. */
export async function findFurtherVaults(
  look: Look,
  vault: { readonly address: Address; readonly share: Address },
  options: { readonly since: number },
): Promise<Address[]> {
  const { address, share } = vault;
  if (share === address) return [];
  const { logs } = await readRecentLogs(look, {
    filter: { addresses: [share], topics: [[VAULT_UPDATE]] },
    since: options.since,
    most: MOST_UPDATES,
  });
  const told = logs.filter(({ topics, data }) => topics.length === 2 && data.length === 66);
  const assets = [...new Set(told.map(({ topics }) => topicAddress(topics[1]!)))];
  const inForce = await ask(
    look,
    share,
    assets.map((asset) => vaultOf(asset)),
  );
  // A token without vault(asset) has its logs for it, the newest of each asset.
  const vaults = assets.map((asset, i) => {
    const newest = told.find(({ topics }) => topicAddress(topics[1]!) === asset)!;
    return (
      addressIn(inForce[i]) ??
      addressIn(`0x${addressAt(newest.data, 0).slice(2).padStart(64, '0')}`)
    );
  });
  return [...new Set(vaults)].filter((one) => one !== null && one !== address) as Address[];
}
