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
  /** Keeps its keys apart from those of other markets on the same chain. */
  readonly name: string;
  readonly shop: Pick<PaidTestServer, 'buy'>;
  /** The RPC endpoint of the seller. */
  readonly node: FaultyRpc;
  readonly hostile: Hostile;
  readonly random: Random;
  /** All payments signed for the seller, by nonce. */
  readonly signed: ReadonlyMap<Hex, SignedAuthorization>;
  /** Nonces of the payments for which an attacker got a response. */
  readonly answered: Set<Hex>;
  /** Callbacks by requested node, called while the seller builds the response, after the payment was verified. */
  readonly meanwhile: Map<string, () => Promise<void>>;
  /** How often each attack was carried out, regardless of its outcome. */
  readonly struck: Record<string, number>;
  /** Signs a payment and records it in `signed`. */
  sign(fields?: Partial<Authorization> & { key?: Hex }): SignedAuthorization;
  remember(payment: SignedAuthorization): SignedAuthorization;
}
