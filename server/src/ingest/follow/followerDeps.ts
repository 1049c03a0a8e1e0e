import type { Header } from '../../chain/chainClient.ts';
import type { Upstreams } from '../../chain/upstreams.ts';
import type { ChainConfig, EventsConfig, TicksConfig } from '../../config/config.ts';
import type { RetractedAlert } from '../../store/alerts/alerts.ts';
import type { ChainProgress } from '../../store/chains/progress.ts';
import type { Gap } from '../../store/gaps/gaps.ts';
import type { Leadership, Store } from '../../store/store.ts';
import type { MadeTicks } from '../commit.ts';
import type { Step } from '../read/step.ts';
import type { Registered } from '../register.ts';

/** What the parts of a follower share. */
export interface FollowerDeps {
  readonly store: Store;
  readonly leadership: Leadership;
  readonly upstreams: Upstreams;
  readonly chain: ChainConfig;
  readonly ticks: TicksConfig;
  readonly maxPriceAge: number;
  readonly events?: EventsConfig | undefined;
  readonly registered: readonly Registered[];
  /** Every family of the configuration: who is priced from where. */
  readonly allRegistered: readonly Registered[];
  readonly now: () => number;
  /** Whether the past may be read on now, which takes most calls to the nodes. */
  readonly mayReadPast: () => boolean;
  /** A look at the chain has shown this head. */
  readonly onHead?: (head: Header) => void;
  readonly onStep: (step: Step, progress: ChainProgress, made: MadeTicks) => void;
  readonly onReorg: (to: number, from: number) => void;
  /** Blocks that alerts were measured at are gone. */
  readonly onRetracted?: (alerts: readonly RetractedAlert[]) => void;
  /** The node had left out logs of this block: it is read again. */
  readonly onLeftOut: (block: number) => void;
  /** A gap was filled. */
  readonly onFilled: (gap: Gap) => void;
  /** The chain cannot be read now; `text` is safe to show. */
  readonly onUnreachable: (text: string) => void;
}
