import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findDemo, findDemoUrl } from './demo.ts';

const startedIn = process.cwd();
const LOCAL = 'http://127.0.0.1:8080';
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-demo-'));
  process.chdir(folder);
});
afterEach(async () => {
  process.chdir(startedIn);
  await rm(folder, { recursive: true });
});

async function write(apiUrl: string, rpcUrl: string): Promise<void> {
  await mkdir('.assay');
  const chains = [{ chainId: 8453, rpcUrl }];
  await writeFile('.assay/demo.json', JSON.stringify({ apiUrl, chains, wallets: [] }));
}

test('default: the demo of this folder, by each name of this machine', async () => {
  expect(findDemoUrl()).toBeUndefined();
  await write(LOCAL, 'http://localhost:8545');
  expect(findDemoUrl()).toBe(LOCAL);
  expect(findDemo('http://localhost:8080')).toMatchObject({ apiUrl: LOCAL });
  expect(findDemo('http://localhost:8081')).toBeUndefined();
});

test.each([
  ['server', 'https://api.example.com', 'http://127.0.0.1:8545'],
  ['RPC endpoint', LOCAL, 'https://rpc.example.com'],
])('error: a file with a %s on another host is ignored', async (_, apiUrl, rpcUrl) => {
  await write(apiUrl, rpcUrl);
  expect(findDemoUrl()).toBeUndefined();
  expect(findDemo(apiUrl)).toBeUndefined();
});
