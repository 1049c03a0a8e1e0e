import { relative } from 'node:path';
import { isPastRemoval, LEGACY_API_REMOVAL } from '../domain/legacyApi.ts';
import { isLoopbackHost } from '../domain/loopback.ts';
import type { Config } from './config.ts';
import type { ConfigProblem } from './problem.ts';

/**
 * An invoice is sent in a header and common proxies accept 4 KB of headers: what is left of them for the public URL and
 * the names of the asset, in bytes.
 */
export const MAX_NAMED_BYTES = 134;

/** Checks that need both the file and the environment. */
export function findClashes(config: Config): Omit<ConfigProblem, 'line'>[] {
  const { http, store, backup, payments, legacyApi, demo } = config;
  const { host, port, adminPort, metricsPort } = http;
  const clashes: Omit<ConfigProblem, 'line'>[] = [];
  if (port === adminPort && port !== 0) {
    const message = `is ${port}, the same as adminPort; choose another for one of them`;
    clashes.push({ path: 'http.port', message });
  }
  if (metricsPort !== undefined && metricsPort !== 0 && [port, adminPort].includes(metricsPort)) {
    const message = `is ${metricsPort}, the same as another port; choose a different one`;
    clashes.push({ path: 'http.metricsPort', message });
  }
  if (demo !== undefined && !isLoopbackHost(host)) {
    const message = `gives out a private key, and the server listens on ${host}; listen on 127.0.0.1, or remove this key`;
    clashes.push({ path: 'demo', message });
  }
  if (backup !== undefined && store.databaseUrl !== undefined) {
    const message =
      'is for the embedded database, but DATABASE_URL selects PostgreSQL; remove this key, and schedule pg_dump or archive the write-ahead log (docs/operate.md, Back up)';
    clashes.push({ path: 'backup', message });
  }
  if (backup !== undefined && isWithin(store.folder, backup.folder)) {
    const message =
      'is within store.folder, and would be lost with it; choose another folder, preferably on another disk';
    clashes.push({ path: 'backup.folder', message });
  }
  if (legacyApi !== undefined && isPastRemoval(legacyApi.until)) {
    const message = `is after ${LEGACY_API_REMOVAL}, the last day on which Assay serves the legacy API; choose that day or an earlier one`;
    clashes.push({ path: 'legacyApi.until', message });
  }
  const named = payments?.publicUrl ?? http.publicUrl;
  if (payments !== undefined && named === undefined && !isLoopbackHost(host)) {
    const message = `is missing: the server listens on ${host}, and invoices would contain that address, which payers cannot reach; add the public URL of the API, here or as http.publicUrl`;
    clashes.push({ path: 'payments.publicUrl', message });
  }
  if (payments !== undefined && named !== undefined) {
    const { publicUrl, assetName, assetVersion } = payments;
    const bytes = Buffer.byteLength(named + assetName + assetVersion);
    if (bytes > MAX_NAMED_BYTES) {
      const key = publicUrl === undefined ? 'http.publicUrl' : 'payments.publicUrl';
      const message = `is too long for invoices, which proxies drop if their headers exceed 4 KB: with assetName and assetVersion it has ${bytes} bytes, and the maximum is ${MAX_NAMED_BYTES}; use a shorter URL`;
      clashes.push({ path: key, message });
    }
  }
  return clashes;
}

function isWithin(folder: string, inner: string): boolean {
  return !/^\.\.(\/|$)/.test(relative(folder, inner));
}
