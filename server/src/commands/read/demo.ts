import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Demo } from '@assay/client';
import { isSamePlace } from '../../domain/loopback.ts';

/** The parts of `.assay/demo.json` that are needed to pay the demo. */
export interface RunningDemo extends Demo {
  readonly wallets: readonly { readonly address: string; readonly privateKey: `0x${string}` }[];
  readonly chains: readonly { readonly chainId: number; readonly rpcUrl: string }[];
}

const FOLDER = '.assay';
/** The spend store of the command line, separate from that of the documentation's examples. */
export const DEMO_SPEND = join(FOLDER, 'command-line-spend');
/** The spend store of `assay mcp`. */
export const DEMO_MCP_SPEND = join(FOLDER, 'mcp-spend');

/** Returns the URL of the demo in this folder; undefined without a demo. */
export function findDemoUrl(): string | undefined {
  try {
    const { apiUrl } = JSON.parse(readFileSync(join(FOLDER, 'demo.json'), 'utf8')) as RunningDemo;
    return apiUrl;
  } catch {
    return undefined;
  }
}

/** Returns the demo of this folder if the server is that demo, else undefined. */
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
