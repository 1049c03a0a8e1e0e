/** A result that the method cannot return; the client turns it into RpcUnreachable. */
export class Malformed extends Error {
  readonly part: string;

  constructor(part: string) {
    super(`malformed ${part}`);
    this.name = 'Malformed';
    this.part = part;
  }
}
