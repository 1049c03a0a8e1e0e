import { fn, wordAt } from '../../chain/abi.ts';
import { unit } from '../../domain/amount.ts';
import type { Adapter, StateRead, VaultOnChain } from '../kind.ts';
import { DEPOSIT, decodeVaultLog, TRANSFER, WITHDRAW } from '../vaultLogs.ts';

const balanceOf = fn('balanceOf(address)');
const totalAssets = fn('totalAssets()');
const totalSupply = fn('totalSupply()');
const convertToAssets = fn('convertToAssets(uint256)');

/** Plain ERC-4626: exits are paid at once, the share price is the vault's own conversion. */
export const erc4626: Adapter = {
  priceRule: 'traded',
  wantedLogs: ({ family }) => ({
    addresses: [family.address],
    topics: [DEPOSIT, WITHDRAW, TRANSFER],
  }),
  decode: (log, place, vault) =>
    log.address === vault.family.address ? decodeVaultLog(log, place) : undefined,
  read: readPlain,
};

/** What the vault does not hold itself is invested, wherever it is. */
export function readPlain(vault: VaultOnChain): StateRead {
  const address = vault.family.address;
  return {
    first: [
      { to: vault.asset, data: balanceOf(address) },
      { to: address, data: totalAssets() },
      { to: vault.share, data: totalSupply() },
      { to: address, data: convertToAssets(unit(vault.shareDecimals)) },
    ],
    second: () => [],
    state([held, total, supply, price]) {
      if (!held || !total || !supply || !price) return null;
      const assets = wordAt(total, 0);
      const balance = wordAt(held, 0);
      // A vault may hold more than it counts as its own (a donation, assets owed to claims).
      const idle = balance < assets ? balance : assets;
      return {
        idle,
        invested: assets - idle,
        pendingExits: 0n,
        pendingRedemptionAssets: 0n,
        shareSupply: wordAt(supply, 0),
        sharePrice: wordAt(price, 0),
        pools: [],
      };
    },
  };
}
