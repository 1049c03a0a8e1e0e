import type { Call } from '../chain/chainClient.ts';
import type { Hex } from '../domain/hex.ts';
import type { CallContract } from './ask.ts';

interface PendingCall {
  readonly call: Call;
  resolve(answer: Hex | null): void;
  reject(error: unknown): void;
}

/** Sends the calls that are made in one turn of the event loop together, so that a thousand wallets stay affordable. */
export function batchCalls(
  send: (calls: readonly Call[]) => Promise<readonly (Hex | null)[]>,
): CallContract {
  let pending: PendingCall[] = [];

  return (to, data) =>
    new Promise((resolve, reject) => {
      pending.push({ call: { to, data }, resolve, reject });
      if (pending.length === 1) setImmediate(flush);
    });

  async function flush(): Promise<void> {
    const sent = pending;
    pending = [];
    try {
      const answers = await send(sent.map(({ call }) => call));
      for (const [i, { resolve }] of sent.entries()) resolve(answers[i] ?? null);
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
  }
}
