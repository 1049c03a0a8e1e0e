import type { HttpConfig } from '../config/config.ts';
import type { Hex } from '../domain/hex.ts';
import type { CreateBuckets } from '../domain/tokenBuckets.ts';
import type { Gate } from '../payments/gate/gate.ts';
import type { Store } from '../store/store.ts';
import type { ConnectionLimits } from './connections.ts';
import type { Dashboard } from './dashboard.ts';
import type { OnError } from './httpServer.ts';
import type { RequestObservers } from './observeRequests.ts';
import type { PaidOffer } from './paid/paidText.ts';
import type { ReadyMark } from './readiness.ts';
import type { Route } from './route.ts';
import type { ChainStatus } from './status.ts';
import type { StorageRoom } from './storage.ts';

/** The dependencies of the public server. */
export interface ServerDeps {
  readonly version: string;
  readonly getChainStatuses: () => Promise<readonly ChainStatus[]>;
  /** Signs the cursors of the status, see loadCursorKey; absent: they are valid only in this process. */
  readonly cursorKey?: Hex;
  /** The database; absent: its outages are unknown. */
  readonly database?: Pick<Store, 'health' | 'freeReads'>;
  /** Records that it was ready once; absent: every start is treated as a new store. */
  readonly readyMark?: ReadyMark;
  /** Free space on the disk of the embedded database; absent with PostgreSQL. */
  readonly storage?: StorageRoom | undefined;
  /** Whether the process is shutting down while it still serves, until load balancers notice. */
  readonly isDraining?: () => boolean;
  /** Called with each error that became a 500. */
  readonly onError: OnError;
  /** Measure requests, and log them. */
  readonly observers?: RequestObservers;
  /** Its routes besides health and documents; paid routes need `paid`. */
  readonly routes?: readonly Route[];
  /** Reports families that changed; see familyChanges.ts. */
  readonly onFamilyChange?: (listener: (slug: string) => void) => void;
  /** How it sells; absent: it does not. */
  readonly paid?: {
    readonly gate: Gate;
    readonly offer: PaidOffer;
  };
  /** The pages at `/`; absent: none. */
  readonly dashboard?: Dashboard | undefined;
  /** Its URL once it listens: its documents use it if no public URL is configured. */
  readonly url?: () => string;
  readonly http?: Pick<HttpConfig, 'publicUrl' | 'rateLimit'>;
  /** Counts rejected and closed connections; how long a client may read nothing of its response. */
  readonly connections?: Pick<ConnectionLimits, 'counts' | 'stalledMs'>;
  /** Creates its limits; absent: they count only this process. */
  readonly createBuckets?: CreateBuckets;
  /** Unix seconds. */
  readonly now?: () => number;
}
