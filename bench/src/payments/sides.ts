import type { Hex } from 'viem';
import { startWorker, type Worker } from '../vaultApi/worker.ts';
import type { LoadAnswer, LoadMessage } from './loadProcess.ts';
import type { PaymentWorld, SideAnswer, SideMessage, SideSettings } from './paymentWorld.ts';
import type { AuthorizationTexts } from './signerProcess.ts';

/** A selling server, in a separate process. */
export interface Side {
  readonly name: string;
  readonly port: number;
  readonly worker: Worker;
}

/** The signer and the sender, in separate processes. */
export interface Client {
  /** Returns paid requests for that server, ready to send. */
  payments(port: number, count: number): Promise<string[]>;
  authorizations(count: number): Promise<AuthorizationTexts[]>;
  /** Returns settlements for the chain itself; the key's nonces continue from call to call. */
  transactions(key: Hex, count: number): Promise<string[]>;
  send(message: LoadMessage): Promise<LoadAnswer>;
  stop(): Promise<void>;
}

export class NotServed extends Error {
  constructor(name: string, statuses: LoadAnswer['statuses']) {
    super(`${name} returned unexpected statuses: ${JSON.stringify(statuses)}`);
    this.name = 'NotServed';
  }
}

export async function startSide(name: string, file: string, settings: SideSettings): Promise<Side> {
  const worker = startWorker(`../payments/${file}.js`);
  const start: SideMessage = { kind: 'start', settings };
  const { port } = await worker.ask<SideAnswer>(start);
  return { name, port, worker };
}

export async function startClient(world: PaymentWorld): Promise<Client> {
  const signer = startWorker('../payments/signerProcess.js');
  const load = startWorker('../payments/loadProcess.js');
  const nonces = new Map<Hex, number>();
  await signer.ask({ kind: 'start', world });
  return {
    async payments(port, count) {
      const asked = { kind: 'payments', port, count };
      return (await signer.ask<{ requests: string[] }>(asked)).requests;
    },
    async authorizations(count) {
      const asked = { kind: 'authorizations', count };
      return (await signer.ask<{ payments: AuthorizationTexts[] }>(asked)).payments;
    },
    async transactions(key, count) {
      const first = nonces.get(key) ?? 0;
      nonces.set(key, first + count);
      const asked = { kind: 'transactions', key, first, count };
      return (await signer.ask<{ requests: string[] }>(asked)).requests;
    },
    send: (message) => load.ask<LoadAnswer>(message),
    async stop() {
      await signer.stop();
      await load.stop();
    },
  };
}

/** Returns the CPU that the process of this side reports, in milliseconds. */
export async function usageOf({ worker }: Pick<Side, 'worker'>): Promise<number> {
  return (await worker.ask<SideAnswer>({ kind: 'usage' })).cpuMs;
}

/** Ends the benchmark if there was another status, because other work would be measured. */
export function expectOnly(status: number, name: string, { statuses, count }: LoadAnswer): void {
  if (statuses[status] !== count) throw new NotServed(name, statuses);
}
