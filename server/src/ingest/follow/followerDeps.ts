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

export interface FollowerDeps {
  readonly store: Store;
  readonly leadership: Leadership;
  readonly upstreams: Upstreams;
  readonly chain: ChainConfig;
  readonly ticks: TicksConfig;
  readonly maxPriceAge: number;
  readonly events?: EventsConfig | undefined;
  /** Every configured chain, including those without an RPC URL. */
  readonly chainIds: readonly number[];
  readonly registered: readonly Registered[];
  /** Every configured family, including those on other chains. */
  readonly allRegistered: readonly Registered[];
  readonly now: () => number;
  /** Whether the call budget allows historical reads now, which need the most RPC calls. */
  readonly mayReadPast: () => boolean;
  /** A poll returned this head. */
  readonly onHead?: (head: Header) => void;
  readonly onStep: (step: Step, progress: ChainProgress, made: MadeTicks) => void;
  readonly onReorg: (to: number, from: number) => void;
  /** A reorg removed the blocks of these alerts. */
  readonly onRetracted?: (alerts: readonly RetractedAlert[]) => void;
  /** The RPC endpoint had omitted logs of this block, which is read again. */
  readonly onLeftOut: (block: number) => void;
  readonly onFilled: (gap: Gap) => void;
  /** The chain cannot be read now; `text` is safe to show. */
  readonly onUnreachable: (text: string) => void;
}
