import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Demo } from '@assay/client';
import { isLoopbackHost, isSamePlace } from '../../domain/loopback.ts';

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
  return readDemo()?.apiUrl;
}

/** Returns the demo of this folder if the server is that demo, else undefined. */
export function findDemo(serverUrl: string): RunningDemo | undefined {
  const demo = readDemo();
  return demo && isSamePlace(demo.apiUrl, serverUrl) ? demo : undefined;
}

/** A demo runs on this machine: a file that names other hosts could come with a downloaded folder and is ignored. */
function readDemo(): RunningDemo | undefined {
  try {
    const demo = JSON.parse(readFileSync(join(FOLDER, 'demo.json'), 'utf8')) as RunningDemo;
    const urls = [demo.apiUrl, ...demo.chains.map(({ rpcUrl }) => rpcUrl)];
    return urls.every((url) => isLoopbackHost(new URL(url).hostname)) ? demo : undefined;
  } catch {
    return undefined;
  }
}
