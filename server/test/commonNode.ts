import http from 'node:http';
import { listenOnLoopback, stopServer } from './loopbackServer.ts';
import type { TokenChain } from './tokenChain.ts';

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface Fields {
  readonly from?: string;
  readonly gas?: string;
  readonly gasPrice?: string;
  readonly maxFeePerGas?: string;
}

/**
 * Behaves like common RPC nodes where the local chain differs: gas is free in an estimate without a price, and a call
 * with a price is rejected if the sender cannot pay for it.
 */
export async function createCommonNode({ chain, url }: Pick<TokenChain, 'chain' | 'url'>) {
  let calls = 0;
  const server = http.createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray()).toString();
      const parsed = JSON.parse(body) as Call | Call[];
      if (!Array.isArray(parsed)) return response.end(JSON.stringify(await answer(parsed)));
      const answers: unknown[] = [];
      for (const call of parsed) answers.push(await answer(call));
      response.end(JSON.stringify(answers));
    })();
  });
  const port = await listenOnLoopback(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    /** Returns the number of contract calls and gas estimates. */
    calls: () => calls,
    close: () => stopServer(server),
  };

  async function answer(call: Call): Promise<unknown> {
    const asked = /^eth_(call|estimateGas)$/.test(call.method);
    if (asked) calls++;
    if (asked && !(await canPay(call.params[0] as Fields))) {
      const message = 'err: insufficient funds for gas * price + value: have 0 want 1';
      return { jsonrpc: '2.0', id: call.id, error: { code: -32_000, message } };
    }
    const body = JSON.stringify(asked ? priced(call) : call);
    return (await fetch(url, { method: 'POST', body })).json();
  }

  async function canPay({ from, gas, maxFeePerGas }: Fields): Promise<boolean> {
    if (from === undefined || maxFeePerGas === undefined) return true;
    const balance = await chain.rpc<string>('eth_getBalance', [from, 'latest']);
    return BigInt(balance) >= BigInt(gas ?? 21_000) * BigInt(maxFeePerGas);
  }

  function priced({ params: [fields, ...rest], ...call }: Call): Call {
    const { gasPrice, maxFeePerGas } = fields as Fields;
    if (gasPrice !== undefined || maxFeePerGas !== undefined) {
      return { ...call, params: [fields, ...rest] };
    }
    return { ...call, params: [{ ...(fields as Fields), gasPrice: '0x0' }, ...rest] };
  }
}
