import { type Address, lower, ZERO_ADDRESS } from '../../domain/hex.ts';
import { need } from '../ask.ts';
import { type ReadPart, vaultsOf } from '../familyOnChain.ts';
import { bookAt } from '../transferBook.ts';
import { type KindReads, NOTHING_WAITING, type Waiting } from './kind.ts';
import { topicsOf } from './topics.ts';

const BALANCE = 'balanceOf(address) view returns (uint256)';

/**
 * No queue of its own. Where accounts are named that hold shares for others, no call says for whom: who sent shares
 * there, and what of them came back or was paid, tell it.
 */
export const erc4626: KindReads = {
  topics: topicsOf(),
  pricedAt: 'tick',
  custodyIsAsked: false,
  waiters: (part, block) => [...bookAt(part, block).entries.keys()],
  async waiting(part, block, wallets) {
    const { entries } = bookAt(part, block);
    return new Map(
      wallets.map((wallet): [Address, Waiting] => [
        wallet,
        { ...NOTHING_WAITING, pending: entries.get(wallet) ?? 0n },
      ]),
    );
  },
  // A cooldown silo holds assets; shares in the vault itself are profit that it locks, and nobody's.
  async findCustody(part, block) {
    const silo = await findSilo(part, block);
    return [...vaultsOf(part.chain), ...(silo === undefined ? [] : [silo])];
  },
  async read(part, block) {
    const { chain, share } = part;
    const ask = part.askAt(block);
    const asset = await need<Address>(ask, chain.address, 'asset() view returns (address)');
    const balances = await Promise.all(
      chain.custody.map((one) => need<bigint>(ask, share, BALANCE, one)),
    );
    const queued = balances.reduce((sum, one) => sum + one, 0n);
    const silo = await findSilo(part, block);
    const cooling = silo === undefined ? 0n : await need<bigint>(ask, asset, BALANCE, silo);
    const signature = 'convertToAssets(uint256) view returns (uint256)';
    const worth = queued === 0n ? 0n : await need<bigint>(ask, chain.address, signature, queued);
    return { pendingRedemptionAssets: worth + cooling, setAside: 0n, holdsOwnOnly: true };
  },
};

async function findSilo({ chain, askAt }: ReadPart, block: number): Promise<Address | undefined> {
  const silo = await askAt(block)<Address>(chain.address, 'silo() view returns (address)');
  if (silo === undefined || lower(silo) === ZERO_ADDRESS) return undefined;
  return vaultsOf(chain).includes(lower(silo)) ? undefined : lower(silo);
}
