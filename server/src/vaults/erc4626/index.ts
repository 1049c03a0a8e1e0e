import type { ChainClient } from '../../chain/chainClient.ts';
import { findAllocator } from '../allocators/find.ts';
import { findRatioShares, known } from '../discovery.ts';
import type { Found, VaultKind, VaultOnChain } from '../kind.ts';
import { findNamedCustody } from '../recognise/custody.ts';
import { DEPOSIT, decodeVaultLog, TRANSFER, WITHDRAW } from '../vaultLogs.ts';
import { recogniseErc4626 } from './recognise.ts';
import { state } from './state.ts';

/** Plain ERC-4626: exits are paid at once, into a silo, or by a queue that stands outside the vault. */
export const erc4626: VaultKind = {
  name: 'erc4626',
  recognise: recogniseErc4626,
  keys: ['routers', 'custody'],
  rules: () => 2,
  price: 'converted',
  queue: 'transfers',
  walletQueue: null,
  hasClaims: false,
  discover,
  wantedLogs: ({ chain, share }) => ({
    addresses: [...new Set([chain.address, share])],
    topics: [DEPOSIT, WITHDRAW, TRANSFER],
  }),
  decode(log, place, { chain, share }) {
    if (log.address !== (log.topics[0] === TRANSFER ? share : chain.address)) return undefined;
    return decodeVaultLog(log, place);
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
  const [ratioShares, allocator, custody] = await Promise.all([
    findRatioShares(look, vault, shareDecimals),
    findAllocator(look, named),
    findNamedCustody(look, vault),
  ]);
  return {
    vaults: [vault],
    sameAsset: new Set([vault]),
    custody: known([...custody.map(({ address }) => address), ...chain.custody]),
    ratioShares,
    allocator,
    oracle: null,
  };
}
