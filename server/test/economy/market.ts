import type { Hex } from '../../src/domain/hex.ts';
import type {
  Authorization,
  SignedAuthorization,
} from '../../src/payments/authorization/payment.ts';
import type { Random } from '../activity.ts';
import type { FaultyRpc } from '../faultyRpc.ts';
import type { Hostile } from '../hostile/hostile.ts';
import type { PaidTestServer } from '../paidTestServer.ts';
import type { TokenChain } from '../tokenChain.ts';

/** Shared by all participants. */
export interface Market {
  readonly chain: TokenChain;
  /** Tells its keys from those of other markets on the same chain. */
  readonly name: string;
  readonly shop: Pick<PaidTestServer, 'buy'>;
  /** The node that the seller asks. */
  readonly node: FaultyRpc;
  readonly hostile: Hostile;
  readonly random: Random;
  /** All that was signed to pay the seller, by nonce. */
  readonly signed: ReadonlyMap<Hex, SignedAuthorization>;
  /** Nonces of what an attacker got an answer for. */
  readonly answered: Set<Hex>;
  /** What happens while the seller makes an answer, by the node that is asked for: its payment was found good. */
  readonly meanwhile: Map<string, () => Promise<void>>;
  /** How often each attack did what it wanted to do, whatever came of it. */
  readonly struck: Record<string, number>;
  /** Signs, and is remembered. */
  sign(fields?: Partial<Authorization> & { key?: Hex }): SignedAuthorization;
  remember(payment: SignedAuthorization): SignedAuthorization;
}
