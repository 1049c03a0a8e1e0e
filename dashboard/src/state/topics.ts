import type { FeedEvent } from '@assay/client';

/** Which events change a view. */
export type Topic = (event: FeedEvent) => boolean;

/** Everything about the families: their figures, pools, and chains. */
export const anyFamily: Topic = ({ type }) => type !== 'grade';

/** One family; a chain's state has no family and can concern every one. */
export function ofFamily(slug: string): Topic {
  return (event) => anyFamily(event) && (event.family === slug || event.family === null);
}

/** What these wallets did, and what changes the value of their shares. */
export function ofWallets(addresses: readonly string[]): Topic {
  return ({ type, data }) =>
    type === 'history'
      ? addresses.some((address) => isOf(data, address))
      : type !== 'grade' && type !== 'governance';
}

/** What one wallet did. */
export function ofUser(address: string): Topic {
  return ({ type, data }) => type === 'history' && isOf(data, address);
}

function isOf(data: FeedEvent['data'], address: string): boolean {
  return typeof data.user === 'string' && data.user.toLowerCase() === address.toLowerCase();
}
