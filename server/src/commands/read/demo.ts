import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Demo } from '@assay/client';
import { isSamePlace } from '../../domain/loopback.ts';

/** `.assay/demo.json`, as far as paying the demo needs it. */
export interface RunningDemo extends Demo {
  readonly wallets: readonly { readonly address: string; readonly privateKey: `0x${string}` }[];
  readonly chains: readonly { readonly chainId: number; readonly rpcUrl: string }[];
}

const FOLDER = '.assay';
/** Beside what the snippets of the documentation spend. */
export const DEMO_SPEND = join(FOLDER, 'command-line-spend');

/** The demo of this folder, where the server is that; undefined when it is another, or there is none. */
export async function findDemo(serverUrl: string): Promise<RunningDemo | undefined> {
  const text = await readFile(join(FOLDER, 'demo.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const demo = JSON.parse(text) as RunningDemo;
    return isSamePlace(demo.apiUrl, serverUrl) ? demo : undefined;
  } catch {
    return undefined;
  }
}
