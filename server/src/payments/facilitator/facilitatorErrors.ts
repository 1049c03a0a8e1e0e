import { NodesUnavailable } from '../chain/nodes.ts';
import { FeesAboveCap } from './fees.ts';
import { SenderOutOfGas } from './simulation.ts';

/** Returns the code of a failure that is not the payer's; undefined for unexpected errors. */
export function getFacilitatorErrorCode(error: unknown) {
  if (error instanceof NodesUnavailable) return 'facilitator_unavailable';
  if (error instanceof FeesAboveCap) return 'network_fees_too_high';
  return error instanceof SenderOutOfGas ? 'facilitator_out_of_gas' : undefined;
}
