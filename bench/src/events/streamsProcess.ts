import { connect, type Socket } from 'node:net';
import { answerMessages } from '../vaultApi/worker.ts';
import { walletOf } from './commits.ts';
import { Latencies, percentile } from './latencies.ts';

/** Opens streams of `/v1/events`. Each reader follows one wallet; the idle ones ask for all events from the first on and never read. */
export interface OpenMessage {
  readonly open: { readonly port: number; readonly readers: number; readonly idle: number };
}

/** Forgets what was received so far, or returns it. */
export type StreamsMessage = OpenMessage | { readonly restart: true } | { readonly report: true };

export interface StreamsReport {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Readers whose connection ended. */
  readonly lost: number;
}

const latencies = new Latencies();
let lost = 0;

answerMessages(async (message: StreamsMessage) => {
  if ('open' in message) {
    const { port, readers, idle } = message.open;
    for (let i = 0; i < readers; i++) await openReader(port, walletOf(i));
    const first = await fetch(`http://127.0.0.1:${port}/v1/events?limit=1`);
    const { cursor } = (await first.json()) as { cursor: string };
    for (let i = 0; i < idle; i++) await openIdle(port, cursor);
    return {};
  }
  if ('restart' in message) {
    latencies.restart();
    return {};
  }
  const { values } = latencies;
  const at = (share: number) => percentile(values, share);
  return { count: values.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), lost };
});

async function openReader(port: number, wallet: string): Promise<void> {
  const socket = await request(port, `?user=${wallet}`);
  let rest = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    rest = latencies.add(rest + text);
  });
  socket.on('close', () => {
    lost += 1;
  });
}

async function openIdle(port: number, cursor: string): Promise<void> {
  const socket = await request(port, `?after=${cursor}`);
  // Reads until the response begins, and nothing after that.
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
}

/** Without an HTTP client, whose buffers would read what these clients leave. */
function request(port: number, query: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      const lines = ['Host: 127.0.0.1', 'Accept: text/event-stream', 'Connection: keep-alive'];
      socket.write(`GET /v1/events/stream${query} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      resolve(socket);
    });
    socket.on('error', reject);
  });
}
