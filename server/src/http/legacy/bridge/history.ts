import type { Static } from 'typebox';
import { checksummed } from '../../checksum.ts';
import { readParameters } from '../../parameters.ts';
import type { RouteRequest } from '../../route.ts';
import { optional } from '../../routeParameters.ts';
import { AskedWhole, Hash, List, OneOf, Shape, UnixTime } from '../../schemas.ts';
import { HISTORY_LIMIT, type historyPage } from '../../vault/historySchema.ts';
import { type BridgeContext, defineBridge } from './bridge.ts';
import { FormattedValue, formatted } from './values.ts';

type Page = Static<typeof historyPage>;
type Item = Page['items'][number];

const MOST = HISTORY_LIMIT.max;
/** A wallet may have cancelled any number of requests; the search is bounded. */
const MAX_PAGES = 10;
const HASH = '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b';

export const historyBridge = defineBridge<Page>({
  from: 'getHistory',
  asked: ({ family, chain, wallet }) => ({
    query: {
      family: family.slug,
      user: wallet,
      chainId: String(chain.chainId),
      limit: String(MOST),
    },
  }),
  parameters: [
    optional(
      'limit',
      AskedWhole({ min: 1, default: MOST }),
      `Maximum number of items. Default and maximum: ${MOST}.`,
      '20',
    ),
  ],
  words:
    "Returns the wallet's deposits and redemptions in the vault on the requested network, newest first. Cancelled requests, and requests of shares before the first share price, are only in the current route.",
  data: List(
    Shape(
      {
        type: OneOf(
          ['deposit', 'withdraw', 'redeem'],
          'deposit; withdraw: assets paid out; redeem: a queued redemption request.',
        ),
        timestamp: UnixTime('Time of its block.'),
        assets: FormattedValue('In the base asset.'),
        shares: FormattedValue('In shares.'),
        txHash: Hash('The transaction.'),
      },
      'A deposit, withdrawal, or redemption request.',
    ),
    'Newest first.',
  ),
  example: [
    {
      type: 'deposit',
      timestamp: 1_769_860_800,
      assets: formatted('250000000', 6),
      shares: formatted('239186380', 6),
      txHash: HASH,
    },
  ],
  present,
});

async function present(first: Page, context: BridgeContext<Page>) {
  const { deployment, request, askAgain, loadAssets } = context;
  const limit = readLimit(request);
  const vault = checksummed(deployment.familyChain.address);
  const found: (Item & { assets: string })[] = [];
  let page = first;
  for (let pages = 1; ; pages++) {
    for (const item of page.items) {
      if (item.vaultAddress === vault && isShown(item)) found.push(item);
    }
    if (found.length >= limit || page.nextCursor === null || pages === MAX_PAGES) break;
    page = await askAgain({ cursor: page.nextCursor });
  }
  if (found.length === 0) return [];
  const { base, share } = await loadAssets();
  return found.slice(0, limit).map((item) => ({
    type: item.type,
    timestamp: item.blockTimestamp,
    assets: formatted(item.assets, base.decimals),
    shares: formatted(item.shares, share.decimals),
    txHash: item.transactionHash,
  }));
}

/** An existing client must keep working: a limit above the maximum is not an error. */
function readLimit(request: RouteRequest): number {
  const bounds = { min: 1, max: 999_999_999_999_999, default: MOST };
  return Math.min(
    readParameters((parameters) => parameters.integer('limit', bounds), request),
    MOST,
  );
}

function isShown(item: Item): item is Item & { assets: string } {
  return item.type !== 'cancel' && item.assets !== null;
}
