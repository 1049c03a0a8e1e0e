import { encodeFunctionData, parseAbi } from 'viem';
import type { Hex } from '../../src/domain/hex.ts';
import { decodePayment } from '../../src/payments/authorization/decode.ts';
import type { SignedAuthorization } from '../../src/payments/authorization/payment.ts';
import { pause } from '../../src/runtime/pause.ts';
import type { PaidTestServer, Reply } from '../paidTestServer.ts';
import type { TokenChain } from '../tokenChain.ts';

const TOKEN = parseAbi([
  'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
]);
/** Time that the handler takes. */
const WORK_MS = 500;

/** A seller without any protection: simulates each payment alone, as common facilitators do, and sends it. */
export interface NaiveShop extends Pick<PaidTestServer, 'buy'> {
  /** Gas of its failed transactions. */
  lost(): bigint;
}

export function openNaiveShop(
  chain: TokenChain,
  options: {
    /** The RPC endpoint for the simulation. If undefined, nothing is simulated. */
    readonly nodeUrl: string | undefined;
  },
): NaiveShop {
  let lost = 0n;
  return { buy, lost: () => lost };

  async function buy(text?: string): Promise<Reply> {
    const decoded = decodePayment(text!);
    if (decoded.kind !== 'payment') return reply(402);
    const data = transfer(decoded.payment);
    if (options.nodeUrl !== undefined && !(await passes(options.nodeUrl, data))) return reply(402);
    await pause(WORK_MS);
    const receipt = await chain.send(chain.terms.asset, data);
    const { status, gasUsed } = receipt as unknown as { status: Hex; gasUsed: Hex };
    if (status === '0x1') return reply(200);
    lost += BigInt(gasUsed);
    return reply(402);
  }

  async function passes(url: string, data: Hex): Promise<boolean> {
    const params = [{ from: chain.operator, to: chain.terms.asset, data }, 'latest'];
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params });
    const answer = await (await fetch(url, { method: 'POST', body })).json();
    return 'result' in (answer as object);
  }
}

function transfer({ authorization, signature }: SignedAuthorization): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
  return encodeFunctionData({ abi: TOKEN, functionName: 'transferWithAuthorization', args });
}

function reply(status: number): Reply {
  return { status, headers: {}, body: Buffer.from('{}') };
}
