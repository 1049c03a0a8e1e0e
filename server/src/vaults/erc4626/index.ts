import type { ChainClient } from '../../chain/chainClient.ts';
import { findAllocator } from '../allocators/find.ts';
import { findRatioAmounts, findSameAsset, known } from '../discovery.ts';
import type { Found, VaultKind, VaultOnChain } from '../kind.ts';
import { findNamedCustody } from '../recognise/custody.ts';
import { DEPOSIT, decodeVaultLog, ofVault, TRANSFER, WITHDRAW } from '../vaultLogs.ts';
import { recogniseErc4626 } from './recognise.ts';
import { state } from './state.ts';

/** Plain ERC-4626: exits are paid at once, into a silo, or by a queue that stands outside the vault. */
export const erc4626: VaultKind = {
  name: 'erc4626',
  recognise: recogniseErc4626,
  keys: ['vaults', 'routers', 'custody'],
  rules: () => 2,
  price: 'converted',
  queue: 'transfers',
  walletQueue: null,
  hasClaims: false,
  discover,
  wantedLogs: ({ share, found }) => ({
    addresses: [...new Set([...found.vaults, share])],
    topics: [DEPOSIT, WITHDRAW, TRANSFER],
  }),
  decode(log, place, { share, found }) {
    const { address, topics } = log;
    const isOurs = topics[0] === TRANSFER ? address === share : found.vaults.includes(address);
    const event = isOurs ? decodeVaultLog(log, place) : undefined;
    return event?.kind === 'transfer' ? event : event && ofVault(event, address, found);
  },
  state,
};

async function discover(
  client: ChainClient,
  block: number,
  named: Omit<VaultOnChain, 'found'>,
): Promise<Found> {
  const { chain, shareDecimals } = named;
  const vault = chain.address;
  const look = { client, block };
  const vaults = known([vault, ...chain.vaults]);
  const [sameAsset, ratioAmounts, allocator, custody] = await Promise.all([
    findSameAsset(look, vaults, named.asset),
    findRatioAmounts(look, vault, shareDecimals),
    findAllocator(look, named),
    findNamedCustody(look, vault),
  ]);
  return {
    vaults,
    sameAsset,
    custody: known([...custody.map(({ address }) => address), ...chain.custody]),
    ratioAmounts,
    allocator,
    oracle: null,
  };
}
