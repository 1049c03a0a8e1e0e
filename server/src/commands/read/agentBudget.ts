import { type Client, createPayer } from '@assay/client';
import { createFileStore } from '@assay/client/node';
import type { Flag, FlagValues } from '../../cli/flags.ts';
import { UsageError } from '../../cli/usageError.ts';
import { type AgentBudget, DAY_SECONDS } from '../../mcp/budget.ts';
import type { Terminal } from '../command.ts';
import { DEMO_MCP_SPEND, findDemo } from './demo.ts';
import { ANY_TOTAL, checkHost, readRpc, spendFolder, termsOf } from './payer.ts';
import { openSigner } from './signer.ts';
import { readUsd } from './stablecoins.ts';

/** How much agents may spend of the operator's money. */
export interface BudgetSettings {
  /** Base units. */
  readonly most: bigint;
  readonly daily: bigint;
  readonly keyFile: string | undefined;
  readonly keystore: string | undefined;
  readonly payTo: string | undefined;
  readonly allowLoopback: boolean;
  /** RPC endpoint of the payment chain. */
  readonly rpc: string | undefined;
}

export const BUDGET_FLAGS: Readonly<Record<string, Flag>> = {
  'daily-usd': { value: 'N', text: 'Maximum spend of agents in 24 hours; needs --max-usd' },
  'max-usd': { value: 'N', text: 'Maximum price per request, in USD' },
  'key-file': { value: 'FILE', text: 'File with the private key (default $ASSAY_PRIVATE_KEY)' },
  keystore: { value: 'FILE', text: 'Encrypted key file; prompts for its password' },
  'pay-to': { value: 'ADDRESS', text: 'Pay only this address; not needed for the demo' },
  'allow-loopback': {
    text: 'Allow a server on this machine that is not the demo',
    formerly: 'real-chain',
  },
  rpc: { value: 'URL', text: 'RPC endpoint of the payment chain, to verify payments' },
};

/** Undefined: agents bring their own payments. */
export function readBudget(flags: FlagValues): BudgetSettings | undefined {
  if (!flags.has('daily-usd')) {
    const other = Object.keys(BUDGET_FLAGS).find((name) => flags.has(name));
    if (other === undefined) return undefined;
    throw new UsageError(`--${other} needs --daily-usd, the maximum spend in 24 hours`);
  }
  if (!flags.has('max-usd')) {
    throw new UsageError('--daily-usd needs --max-usd, the maximum price per request');
  }
  return {
    most: readCap(flags, 'max-usd'),
    daily: readCap(flags, 'daily-usd'),
    keyFile: flags.get('key-file'),
    keystore: flags.get('keystore'),
    payTo: readAddress(flags.get('pay-to')),
    allowLoopback: flags.has('allow-loopback'),
    rpc: readRpc(flags),
  };
}

/** Enforces the caps, also across restarts. */
export async function openBudget(
  client: Client,
  settings: BudgetSettings,
  terminal: Terminal,
): Promise<AgentBudget> {
  const url = new URL(client.url);
  const demo = findDemo(url.origin);
  checkHost(url, demo, settings);
  const { env } = terminal;
  const { most, daily, payTo } = settings;
  if (demo === undefined && payTo === undefined) {
    throw new UsageError('--pay-to is required: set it to the address in the server’s invoices');
  }
  const signer = await openSigner(settings, demo, terminal);
  const store = createFileStore(demo ? DEMO_MCP_SPEND : spendFolder(env, 'mcp-spend'));
  const within = (perCall: bigint) =>
    createPayer({
      ...{ signer, store },
      budget: {
        perCall,
        perPeriod: { amount: daily, seconds: DAY_SECONDS },
        total: ANY_TOTAL,
      },
      ...termsOf(url, demo, payTo, settings),
      timeoutMs: 60_000,
    });
  return { payer: within(most), within, perCall: most, perDay: daily };
}

function readCap(flags: FlagValues, name: string): bigint {
  const units = readUsd(flags.get(name)!);
  if (units !== undefined) return units;
  throw new UsageError(`--${name} must be an amount in USD, such as 0.05; correct it`);
}

function readAddress(text: string | undefined): string | undefined {
  if (text === undefined || /^0x[0-9a-f]{40}$/i.test(text)) return text;
  throw new UsageError('--pay-to must be 0x and 40 hexadecimal digits; correct it');
}
