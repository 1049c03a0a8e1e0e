import { type Client, createPayer, type Payer } from '@assay/client';
import { createFileStore } from '@assay/client/node';
import type { Flag, FlagValues } from '../../cli/flags.ts';
import { UsageError } from '../../cli/usageError.ts';
import type { Terminal } from '../command.ts';
import { findDemo } from './demo.ts';
import { openSigner } from './signer.ts';
import { readUsd } from './stablecoins.ts';
import { ANY_TOTAL, checkPlace, spendFolder, termsOf } from './till.ts';

/** What agents may spend of the operator's money. */
export interface BudgetSettings {
  /** Base units. */
  readonly most: bigint;
  readonly daily: bigint;
  readonly keyFile: string | undefined;
  readonly payTo: string | undefined;
  readonly realChain: boolean;
}

export const BUDGET_FLAGS: Readonly<Record<string, Flag>> = {
  'daily-usd': { value: 'N', text: 'agents may spend so much in 24 hours; needs --max-usd' },
  'max-usd': { value: 'N', text: 'and so much on one answer' },
  'key-file': { value: 'FILE', text: 'private key to pay with (default $ASSAY_PRIVATE_KEY)' },
  'pay-to': { value: 'ADDRESS', text: 'who may be paid; not needed for the demo' },
  'real-chain': { text: 'a server on this machine that is not the demo' },
};

const DAY_SECONDS = 86_400;

/** Undefined: agents bring payments of their own. */
export function readBudget(flags: FlagValues): BudgetSettings | undefined {
  if (!flags.has('daily-usd')) {
    const other = Object.keys(BUDGET_FLAGS).find((name) => flags.has(name));
    if (other === undefined) return undefined;
    throw new UsageError(`--${other} is for spending: say with --daily-usd how much`);
  }
  if (!flags.has('max-usd')) {
    throw new UsageError(
      '--daily-usd lets agents spend: say with --max-usd how much on one answer',
    );
  }
  return {
    most: readCap(flags, 'max-usd'),
    daily: readCap(flags, 'daily-usd'),
    keyFile: flags.get('key-file'),
    payTo: readAddress(flags.get('pay-to')),
    realChain: flags.has('real-chain'),
  };
}

/** A payer that stays within the caps, also over restarts. */
export async function openBudget(
  client: Client,
  settings: BudgetSettings,
  { env }: Pick<Terminal, 'env'>,
): Promise<Payer> {
  const url = new URL(client.url);
  const demo = await findDemo(url.origin);
  checkPlace(url, demo, settings);
  const { most, daily, keyFile, payTo } = settings;
  if (demo === undefined && payTo === undefined) {
    throw new UsageError('say with --pay-to who may be paid: the address in the server’s invoices');
  }
  return createPayer({
    signer: await openSigner({ keyFile, env, demo }),
    store: createFileStore(demo ? '.assay/mcp-spend' : spendFolder(env, 'mcp-spend')),
    budget: {
      perCall: most,
      perPeriod: { amount: daily, seconds: DAY_SECONDS },
      total: ANY_TOTAL,
    },
    ...termsOf(url, demo, payTo, settings),
    timeoutMs: 60_000,
  });
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
