import type { FeedEvent } from '@assay/client';
import { ofUser } from '../state/topics.ts';

/** The transactions of a wallet, of a family, or of both. An empty text does not limit them. */
export interface HistoryFilter {
  readonly user: string;
  readonly family: string;
  readonly chain: string;
  readonly type: '' | 'deposit' | 'withdraw' | 'redeem' | 'cancel';
  readonly period: '' | '1d' | '7d' | '30d';
}

/** Returns whether an event's item is listed under these filters. The newest item is in every period. */
export function passes(event: FeedEvent, filter: HistoryFilter): boolean {
  const { family, chainId, data } = event;
  if (event.type !== 'history') return false;
  if (filter.user !== '' && !ofUser(filter.user)(event)) return false;
  if (filter.family !== '' && filter.family !== family) return false;
  if (filter.chain !== '' && Number(filter.chain) !== chainId) return false;
  return filter.type === '' || filter.type === data.type;
}
