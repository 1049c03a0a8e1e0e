import { RpcUnreachable } from './rpcError.ts';

/** A result that the method cannot return; `checked` turns it into RpcUnreachable. */
export class Malformed extends Error {
  readonly part: string;

  constructor(part: string) {
    super(`malformed ${part}`);
    this.name = 'Malformed';
    this.part = part;
  }
}

/** Parses a result of the RPC endpoint `upstream`; throws RpcUnreachable if it is malformed. */
export function checked<T>(upstream: number, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Malformed) throw new RpcUnreachable({ upstream, reason: 'garbage' });
    throw error;
  }
}
