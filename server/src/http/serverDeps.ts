import type { HttpConfig } from '../config/config.ts';
import type { Hex } from '../domain/hex.ts';
import type { CreateBuckets } from '../domain/tokenBuckets.ts';
import type { Gate } from '../payments/gate/gate.ts';
import type { Dashboard } from './dashboard.ts';
import type { PaidOffer } from './paid/paidText.ts';
import type { ReadyMark } from './readiness.ts';
import type { Route } from './route.ts';
import type { ChainStatus } from './status.ts';

/** What the public server needs of the rest. */
export interface ServerDeps {
  readonly version: string;
  readonly getChainStatuses: () => Promise<readonly ChainStatus[]>;
  /** Seals the cursors of the status, see loadCursorKey; absent: they are good in this process only. */
  readonly cursorKey?: Hex;
  /** Remembers that it was ready once; absent: readiness is judged as of a new store. */
  readonly readyMark?: ReadyMark;
  /** Called with what was answered as a bare 500. */
  readonly onError: (error: unknown) => void;
  /** What it answers besides its health and its documents; what is sold needs `paid`. */
  readonly routes?: readonly Route[];
  /** Tells of families that changed; see familyChanges.ts. */
  readonly onFamilyChange?: (listener: (slug: string) => void) => void;
  /** How it sells; absent: not at all. */
  readonly paid?: {
    readonly gate: Gate;
    readonly offer: PaidOffer;
  };
  /** The pages at `/`; absent: it has none. */
  readonly dashboard?: Dashboard | undefined;
  /** Where it listens, once it does: its documents name it where no public URL is configured. */
  readonly url?: () => string;
  readonly http?: Pick<HttpConfig, 'publicUrl' | 'rateLimit'>;
  /** Makes its limits; absent: they count what this process answers. */
  readonly createBuckets?: CreateBuckets;
  /** Unix seconds. */
  readonly now?: () => number;
}
