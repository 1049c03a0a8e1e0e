import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi } from 'viem';
import { MULTICALL, selector } from '../contracts.ts';
import { word } from '../world.ts';

/**
 * Serves many chains of plain vaults in one process: URL/CHAIN_ID is the RPC endpoint of each. Every address is a vault
 * with the same responses. A block comes every two seconds and has one deposit, into each vault in turn.
 */
const BLOCK_SECONDS = 2;
const FIRST_HEAD = 1_000;
const FINALITY = 20;
const startTime = Math.floor(Date.now() / 1000);
const vaultsPerChain = Number(process.argv[2]);

const AGGREGATE3 = selector('aggregate3((address,bool,bytes)[])');
const ASSET = `0x${'a5'.repeat(20)}`;
const ANSWERS = new Map<string, (to: string, argument: bigint) => Hex>([
  [selector('asset()'), () => words(BigInt(ASSET))],
  [selector('decimals()'), () => words(6n)],
  [selector('symbol()'), () => text('USDC')],
  [selector('name()'), () => text('USD Coin')],
  [selector('totalAssets()'), () => words(5_000_000n)],
  [selector('totalSupply()'), () => words(5_000_000n)],
  [selector('convertToAssets(uint256)'), (_, shares) => words(shares)],
  [selector('balanceOf(address)'), () => words(1_000_000n)],
  // Only a contract with these limits is taken for ERC-4626.
  ...['maxDeposit(address)', 'maxMint(address)', 'maxWithdraw(address)', 'maxRedeem(address)'].map(
    (limit) => [selector(limit), () => words(1_000_000n)] as const,
  ),
]);
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const DEPOSIT = '0xdcbc1c05240f31ff3ad067ef1ee35ce4997762752e3a095284754544f4c709d7';
const USER = word(BigInt(`0x${'b0'.repeat(20)}`));

interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly never[];
}

const calls: Record<string, number> = {};
const server = createServer((request, response) => {
  if (request.url === '/calls') return void response.end(JSON.stringify(calls));
  const chainId = Number(request.url!.slice(1));
  readBody(request, (body) => {
    const asked = JSON.parse(body) as RpcCall | RpcCall[];
    const answer = Array.isArray(asked)
      ? asked.map((one) => answerOne(chainId, one))
      : answerOne(chainId, asked);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
// The parent keeps standard input open; when the parent exits, this process does too.
process.stdin.resume().on('end', () => process.exit());

function answerOne(chainId: number, { id, method, params }: RpcCall): object {
  calls[method] = (calls[method] ?? 0) + 1;
  const result = resultOf(chainId, method, params);
  if (result !== undefined) return { jsonrpc: '2.0', id, result };
  return { jsonrpc: '2.0', id, error: { code: 3, message: 'execution reverted' } };
}

function resultOf(chainId: number, method: string, params: readonly never[]): unknown {
  if (method === 'eth_chainId') return hex(chainId);
  if (method === 'eth_blockNumber') return hex(headNumber());
  if (method === 'eth_getBlockByNumber') return blockOf(chainId, params[0]!);
  if (method === 'eth_getLogs') return logsOf(chainId, params[0]!);
  if (method === 'eth_call') return call(params[0]!) ?? undefined;
  if (method === 'eth_getCode') return '0x60';
  if (method === 'eth_getStorageAt') return `0x${word(0n)}`;
  return undefined;
}

function headNumber(): number {
  return FIRST_HEAD + Math.floor((Date.now() / 1000 - startTime) / BLOCK_SECONDS);
}

function blockOf(chainId: number, tag: string): object | null {
  const head = headNumber();
  const named = { latest: head, finalized: head - FINALITY, safe: head - FINALITY }[tag];
  const number = named ?? Number(tag);
  if (number > head) return null;
  return {
    number: hex(number),
    hash: hashOf(chainId, number),
    parentHash: hashOf(chainId, number - 1),
    timestamp: hex(timeOf(number)),
  };
}

function logsOf(
  chainId: number,
  filter: { fromBlock: string; toBlock: string; address: readonly string[]; topics?: string[][] },
): object[] {
  const wanted = new Set(filter.address.map((address) => address.toLowerCase()));
  const topics = filter.topics?.[0] ?? [TRANSFER, DEPOSIT];
  const logs: object[] = [];
  const last = Math.min(Number(filter.toBlock), headNumber());
  for (let number = Number(filter.fromBlock); number <= last; number++) {
    const address = vaultAddress(chainId, number % vaultsPerChain);
    if (!wanted.has(address)) continue;
    const log = (logIndex: number, names: readonly string[], data: string) => ({
      address,
      topics: names,
      data,
      blockNumber: hex(number),
      blockHash: hashOf(chainId, number),
      blockTimestamp: hex(timeOf(number)),
      transactionHash: hashOf(chainId, number),
      transactionIndex: '0x0',
      logIndex: hex(logIndex),
      removed: false,
    });
    const amount = word(1_000n);
    if (topics.includes(TRANSFER)) {
      logs.push(log(0, [TRANSFER, `0x${word(0n)}`, `0x${USER}`], `0x${amount}`));
    }
    if (topics.includes(DEPOSIT)) {
      logs.push(log(1, [DEPOSIT, `0x${USER}`, `0x${USER}`], `0x${amount}${amount}`));
    }
  }
  return logs;
}

function call({ to, data }: { to: string; data: string }): Hex | null {
  if (to.toLowerCase() === MULTICALL && data.startsWith(AGGREGATE3)) return aggregate(data as Hex);
  const argument = data.length >= 74 ? BigInt(`0x${data.slice(10, 74)}`) : 0n;
  return ANSWERS.get(data.slice(0, 10))?.(to, argument) ?? null;
}

function aggregate(data: Hex): Hex {
  const { args } = decodeFunctionData({ abi: multicall3Abi, data });
  const asked = args?.[0] as readonly { target: Hex; callData: Hex }[];
  const result = asked.map(({ target, callData }) => {
    const returnData = call({ to: target, data: callData });
    return { success: returnData !== null, returnData: returnData ?? ('0x' as const) };
  });
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result });
}

function vaultAddress(chainId: number, index: number): string {
  return `0x${(chainId * 1_000_000 + index + 1).toString(16).padStart(40, 'e')}`;
}

function hashOf(chainId: number, number: number): string {
  return `0x${chainId.toString(16).padStart(24, '0')}${number.toString(16).padStart(40, '0')}`;
}

function timeOf(number: number): number {
  return startTime + (number - FIRST_HEAD) * BLOCK_SECONDS;
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

function words(...values: bigint[]): Hex {
  return `0x${values.map(word).join('')}`;
}

function text(value: string): Hex {
  const bytes = Buffer.from(value).toString('hex').padEnd(64, '0');
  return `0x${word(32n)}${word(BigInt(value.length))}${bytes}`;
}

function readBody(request: IncomingMessage, done: (body: string) => void): void {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => {
    body += part;
  });
  request.on('end', () => done(body));
}
