import type { RpcCall } from '../../chain/rpcClient.ts';
import type { NodeAnswer, Nodes } from '../chain/nodes.ts';
import type { RevertCode } from '../chain/revertCode.ts';
import type { FeeSource, Fees } from './fees.ts';
import type { KeyPool } from './keyPool.ts';
import type { Sender } from './sender.ts';
import {
  estimateCall,
  readCall,
  readGas,
  SenderOutOfGas,
  type SimulatedTransaction,
  simulationCall,
} from './simulation.ts';
import type { Transaction } from './transaction.ts';

/**
 * Simulates a transaction as the next sender would send it. Throws NodesUnavailable, FeesAboveCap, or SenderOutOfGas.
 */
export interface Simulator {
  /** Null: it would succeed. `further` calls go out in the same request. */
  simulate(
    transaction: Simulated,
    block: string,
    further?: readonly RpcCall[],
  ): Promise<SimulatedAs<RevertCode | null>>;
  /** Returns the gas it takes, which its own gas limits, or why it fails. */
  estimate(transaction: Simulated, block: string): Promise<bigint | RevertCode>;
}

export type Simulated = Pick<Transaction, 'to' | 'data' | 'gas'>;

export interface SimulatedAs<Outcome> {
  readonly outcome: Outcome;
  readonly further: readonly NodeAnswer[];
  /** The sender and the fees for which the outcome holds. */
  readonly sender: Sender;
  readonly fees: Fees;
}

export function createSimulator(deps: {
  readonly nodes: Nodes;
  readonly pool: KeyPool;
  readonly fees: FeeSource;
}): Simulator {
  const { nodes, pool, fees } = deps;
  return { simulate, estimate };

  function simulate(transaction: Simulated, block: string, further: readonly RpcCall[] = []) {
    return simulateAsSender(
      transaction,
      (simulated) => simulationCall(simulated, block),
      readCall,
      further,
    );
  }

  async function estimate(transaction: Simulated, block: string): Promise<bigint | RevertCode> {
    const toCall = (simulated: SimulatedTransaction) => estimateCall(simulated, block);
    return (await simulateAsSender(transaction, toCall, readGas)).outcome;
  }

  async function simulateAsSender<Outcome>(
    { to, data, gas }: Simulated,
    toCall: (simulated: SimulatedTransaction) => RpcCall,
    read: (answer: NodeAnswer) => Outcome,
    further: readonly RpcCall[] = [],
  ): Promise<SimulatedAs<Outcome>> {
    const offered = await fees.current();
    for (const _ of pool.senders) {
      const sender = pool.next();
      const simulated = { from: sender.address, to, data, gas, fees: offered };
      const [answer, ...rest] = await nodes.request([toCall(simulated), ...further]);
      try {
        return { outcome: read(answer!), further: rest, sender, fees: offered };
      } catch (error) {
        if (!(error instanceof SenderOutOfGas)) throw error;
        sender.markOutOfGas();
      }
    }
    throw new SenderOutOfGas();
  }
}
