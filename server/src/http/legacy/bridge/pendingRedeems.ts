import { type Static, Type } from 'typebox';
import { checksummed } from '../../checksum.ts';
import { NotReady } from '../../problem.ts';
import { Shape } from '../../schemas.ts';
import type { PendingRedeems } from '../../vault/pendingRedeemsSchema.ts';
import type { snapshotSchema } from '../../vault/snapshotSchema.ts';
import { defineBridge } from './bridge.ts';
import { FormattedValue, formatted, ZERO } from './values.ts';

const assets = FormattedValue('Assets that the requests reserved, in the base asset.');
const shares = FormattedValue('Queued shares.');

export const userRedeemsBridge = defineBridge<PendingRedeems>({
  from: 'getPendingRedeems',
  asked: ({ family, wallet }) => ({
    path: { walletAddress: wallet },
    query: { family: family.slug },
  }),
  words:
    'Only of the vault on the requested network, read live; 503 if it cannot be read, never zero instead.',
  data: Shape({ assets, shares }, 'Pending redemptions of the wallet in the vault.'),
  example: { assets: formatted('2601250000', 6), shares: formatted('2500000000', 6) },
  present({ redeems, incompleteChains }, { deployment: { chain, family, familyChain } }) {
    const vault = checksummed(familyChain.address);
    const own = redeems.find((one) => one.chainId === chain.chainId && one.vault === vault);
    if (own !== undefined) {
      return {
        assets: formatted(own.requestedAssets, own.baseAssetDecimals),
        shares: formatted(own.shares, own.shareDecimals),
      };
    }
    if (incompleteChains.includes(chain.chainId)) {
      const queue = `the queue of ${family.slug} on ${chain.name}`;
      throw new NotReady(`${queue} cannot be read at the moment; try again soon`);
    }
    return { assets: ZERO, shares: ZERO };
  },
});

export const vaultRedeemsBridge = defineBridge<Static<typeof snapshotSchema>>({
  from: 'getVault',
  asked: ({ family }) => ({ path: { slug: family.slug } }),
  words:
    'Assets owed to queued redemptions of all wallets, for the family over all its networks (`stats.pendingRedemptionAssets` of the snapshot). The optional `shares` is omitted.',
  data: Shape(
    {
      assets: FormattedValue('Assets owed to queued redemptions, in the base asset.'),
      shares: Type.Optional(shares),
    },
    'Pending redemptions of all wallets.',
  ),
  example: { assets: formatted('2601250000', 6) },
  present: ({ stats }) => ({
    assets: formatted(stats.pendingRedemptionAssets, stats.baseAssetDecimals),
  }),
});
