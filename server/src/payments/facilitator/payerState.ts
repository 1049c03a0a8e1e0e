import type { RpcCall } from '../../chain/rpcClient.ts';
import type { Address } from '../../domain/hex.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import { type Nodes, NodesUnavailable, readQuantity, readResult } from '../chain/nodes.ts';
import { addressTopic } from '../chain/receipt.ts';
import type { RevertCode } from '../chain/revertCode.ts';
import type { Simulator } from './simulator.ts';
import type { TransferCall } from './transferCall.ts';

/** What a payment's settlement depends on, as the chain has it now. */
export interface PayerState {
  readonly hasCode: boolean;
  /** Depends on the code at the payer's address. */
  readonly call: TransferCall;
  /** The revert code of a plain key's transfer; null if it succeeds. */
  readonly revert: RevertCode | null;
  /** Null if not read. */
  readonly balance: bigint | null;
}

/** Reads everything in one request. Throws the errors of the simulator. */
export type ReadPayerState = (
  payment: SignedAuthorization,
  withBalance: boolean,
) => Promise<PayerState>;

/** `balanceOf(address)` */
const BALANCE_OF = '0x70a08231';

export function createReadPayerState(deps: {
  readonly nodes: Nodes;
  readonly simulator: Simulator;
  readonly asset: Address;
  readonly transferCall: (payment: SignedAuthorization) => TransferCall;
  /** For payments by plain keys. */
  readonly gasLimit: bigint;
  /** Unix seconds. */
  readonly now: () => number;
}): ReadPayerState {
  const { nodes, simulator, asset, transferCall, gasLimit, now } = deps;
  return async (payment, withBalance) => {
    const { from } = payment.authorization;
    const call = transferCall(payment);
    const further: RpcCall[] = [{ method: 'eth_getCode', params: [from, 'latest'] }];
    if (withBalance) {
      const data = `${BALANCE_OF}${addressTopic(from).slice(2)}`;
      further.push({ method: 'eth_call', params: [{ to: asset, data }, 'latest'] });
    }
    const transaction = { ...call, gas: gasLimit };
    const tried = call.plain ? await simulator.simulate(transaction, 'latest', further) : undefined;
    const [code, balance] = tried?.further ?? (await nodes.request(further));
    const text = readResult(code);
    if (typeof text !== 'string') throw new NodesUnavailable();
    const hasCode = text !== '0x';
    let revert = tried?.outcome ?? null;
    if (!hasCode && isEarly(revert, payment, now())) {
      revert = (await simulator.simulate(transaction, 'pending')).outcome;
    }
    return {
      hasCode: hasCode || !call.plain,
      call: hasCode && call.ifDeployed !== null ? call.ifDeployed : call,
      revert,
      balance: withBalance ? readQuantity(readResult(balance)) : null,
    };
  };
}

/** The newest block may be older than the authorization: the next block counts. `now` is in Unix seconds. */
export function isEarly(
  outcome: unknown,
  { authorization }: SignedAuthorization,
  now: number,
): boolean {
  return outcome === 'authorization_not_yet_valid' && authorization.validAfter < BigInt(now);
}
