import { RpcError } from '../chain/rpcError.ts';
import { Unanswered } from './ask.ts';

/** A chain cannot be checked; the message is safe to show. */
export class NotReadable extends Error {
  override readonly name = 'NotReadable';
  /** Whether every other read of that chain will fail too. */
  readonly lasting: boolean;

  constructor(message: string, lasting = false) {
    super(message);
    this.lasting = lasting;
  }
}

/** Converts errors of reading a chain into NotReadable. */
export async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RpcError) throw new NotReadable(error.safeText, error.retry);
    if (error instanceof Unanswered) throw new NotReadable(error.message);
    throw error;
  }
}
