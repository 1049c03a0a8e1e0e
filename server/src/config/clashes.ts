import { isLoopbackHost } from '../domain/loopback.ts';
import type { Config } from './config.ts';
import type { ConfigProblem } from './problem.ts';

/** What only file and environment together say. */
export function findClashes({ http, payments, demo }: Config): Omit<ConfigProblem, 'line'>[] {
  const { host, port, adminPort, metricsPort } = http;
  const clashes: Omit<ConfigProblem, 'line'>[] = [];
  if (port === adminPort && port !== 0) {
    const message = `is ${port}, the same as adminPort; choose another for one of them`;
    clashes.push({ path: 'http.port', message });
  }
  if (metricsPort !== undefined && metricsPort !== 0 && [port, adminPort].includes(metricsPort)) {
    const message = `is ${metricsPort}, the same as another port; choose one of its own`;
    clashes.push({ path: 'http.metricsPort', message });
  }
  if (demo !== undefined && !isLoopbackHost(host)) {
    const message = `hands out a private key, and the server listens on ${host}; listen on 127.0.0.1, or remove this key`;
    clashes.push({ path: 'demo', message });
  }
  const named = payments?.publicUrl ?? http.publicUrl;
  if (payments !== undefined && named === undefined && !isLoopbackHost(host)) {
    const message = `is missing: the server listens on ${host}, and invoices would name that, where nobody can pay; add the address by which payers reach the API, here or as http.publicUrl`;
    clashes.push({ path: 'payments.publicUrl', message });
  }
  return clashes;
}
