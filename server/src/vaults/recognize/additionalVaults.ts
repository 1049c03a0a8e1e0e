import { addressAt, eventTopic, fn, topicAddress } from '../../chain/abi.ts';
import type { Address } from '../../domain/hex.ts';
import { addressIn, ask, type Look } from './readContract.ts';
import { readRecentLogs } from './recentLogs.ts';

const VAULT_UPDATE = eventTopic('event VaultUpdate(address indexed asset, address vault)');
const vaultOf = fn('vault(address)');

/** A share token has a handful of vaults; one that moved them has a few more logs. */
const MAX_UPDATES = 200;

/** Returns other vaults of the share token (ERC-7575), as far as its logs can be read. */
export async function findAdditionalVaults(
  look: Look,
  vault: { readonly address: Address; readonly share: Address },
  options: { readonly since: number },
): Promise<Address[]> {
  const { address, share } = vault;
  if (share === address) return [];
  const { logs } = await readRecentLogs(look, {
    filter: { addresses: [share], topics: [[VAULT_UPDATE]] },
    since: options.since,
    most: MAX_UPDATES,
  });
  const updates = logs.filter(({ topics, data }) => topics.length === 2 && data.length === 66);
  const assets = [...new Set(updates.map(({ topics }) => topicAddress(topics[1]!)))];
  const inForce = await ask(
    look,
    share,
    assets.map((asset) => vaultOf(asset)),
  );
  // For a token without vault(asset), the newest log of each asset counts.
  const vaults = assets.map((asset, i) => {
    const newest = updates.find(({ topics }) => topicAddress(topics[1]!) === asset)!;
    return (
      addressIn(inForce[i]) ??
      addressIn(`0x${addressAt(newest.data, 0).slice(2).padStart(64, '0')}`)
    );
  });
  return [...new Set(vaults)].filter((one) => one !== null && one !== address) as Address[];
}
