import type { FastifyInstance } from 'fastify';

export interface ListenTarget {
  readonly host: string;
  readonly port: number;
  /** How the operator changes the port, for the message. */
  readonly setting: string;
}

/** The server cannot listen where it should. */
export class ListenFailed extends Error {
  override readonly name = 'ListenFailed';
  readonly host: string;
  readonly port: number;
  /** The system's word for it, such as EADDRINUSE. */
  readonly code: string;

  constructor({ host, port, setting }: ListenTarget, code: string) {
    super(`${reason(host, port, code)}; ${advice(setting, code)}`);
    this.host = host;
    this.port = port;
    this.code = code;
  }
}

function reason(host: string, port: number, code: string): string {
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is taken`;
  if (code === 'EACCES') return `port ${port} on ${host} may not be used by this user`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is no address of this machine`;
  return `cannot listen on port ${port} of ${host} (${code})`;
}

function advice(setting: string, code: string): string {
  if (code === 'EADDRINUSE') return `stop what uses it, or choose another port with ${setting}`;
  if (code === 'EACCES') return `choose a port from 1024 on with ${setting}`;
  return 'correct the host';
}

/** Starts listening; returns the port, which differs from the one asked for when that was 0. */
export async function listen(app: FastifyInstance, target: ListenTarget): Promise<number> {
  try {
    await app.listen({ host: target.host, port: target.port });
  } catch (error) {
    throw new ListenFailed(target, (error as NodeJS.ErrnoException).code ?? 'unknown');
  }
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : target.port;
}

/** Lets requests under way finish, but no longer than `graceMs`. */
export async function closeServer(app: FastifyInstance, graceMs: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
}
