import {
  type Client,
  getOffer,
  type Payer,
  type Payment,
  type PurchaseResult,
} from '@assay/client';
import type { FlagValues } from '../../cli/flags.ts';
import { UsageError } from '../../cli/usageError.ts';
import { renderList } from '../../terminal/list.ts';
import { type Screen, screenOf } from '../../terminal/screen.ts';
import { PathError } from '../../terminal/select.ts';
import type { Command, Terminal } from '../command.ts';
import { type CommandDescription, defineWith } from './commandSpec.ts';
import { EXIT, type ExitCode, PAID_EXITS } from './exitCodes.ts';
import { sanitizeServerText } from './failures.ts';
import { type Forms, type Printing, printForms } from './forms.ts';
import { choosePrice, printOffer } from './offer.ts';
import { describePaidFailure } from './paidFailures.ts';
import { checkCanAsk, openPayer, type PaySettings, readRpc } from './payer.ts';
import {
  openClient,
  printFailure,
  READ_FLAGS,
  type ReadSettings,
  readSettings,
} from './readCommand.ts';
import { findStablecoin, readUsd, usdOf } from './stablecoins.ts';

/** A command that buys one response and prints it with its receipt. */
export interface PaidSpec<Args, Answer> extends CommandDescription<Args> {
  buy(client: Client, payer: Pick<Payer, 'buy'>, args: Args): Promise<PurchaseResult<Answer>>;
  csv(answer: Answer): readonly string[];
  show(answer: Answer, screen: Screen): readonly string[];
}

const PAID_FLAGS = {
  'max-usd': { value: 'N', text: 'Maximum price, in USD' },
  'dry-run': { text: 'Show the invoice without paying' },
  yes: { text: 'Pay without confirmation; needs --max-usd' },
  ...READ_FLAGS,
  json: { text: 'Print JSON: the response and its payment' },
  select: { value: 'PATH', text: "Values from the JSON, such as '.answer._riskTier'" },
  'key-file': {
    value: 'FILE',
    text: 'File with the private key (default $ASSAY_PRIVATE_KEY)',
    topic: 'paying',
  },
  keystore: {
    value: 'FILE',
    text: 'Encrypted key file; prompts for its password',
    topic: 'paying',
  },
  'pay-to': { value: 'ADDRESS', text: 'Pay only this address', topic: 'paying' },
  'accept-pay-to': {
    value: 'ADDRESS',
    text: 'Accept this new recipient for a host paid before',
    topic: 'paying',
  },
  'allow-loopback': {
    text: 'Allow a server on this machine that is not the demo',
    topic: 'paying',
    formerly: 'real-chain',
  },
  rpc: {
    value: 'URL',
    text: 'RPC endpoint of the payment chain, to verify payments',
    topic: 'paying',
  },
  replaces: { value: 'ID', text: 'Pay again despite this unresolved payment', topic: 'paying' },
} as const;

interface PaidSettings extends ReadSettings, PaySettings {
  readonly dryRun: boolean;
}

export function definePaid<Args, Answer>(spec: PaidSpec<Args, Answer>): Command {
  return defineWith<Args, PaidSettings>(spec, {
    flags: PAID_FLAGS,
    exits: PAID_EXITS,
    read: readPaidSettings,
    run: (args, terminal) => run(spec, args, terminal),
  });
}

async function run<Args, Answer>(
  spec: PaidSpec<Args, Answer>,
  args: Args & PaidSettings,
  terminal: Terminal,
): Promise<number> {
  const client = openClient(args, terminal);
  try {
    const url = await urlOf((payer) => spec.buy(client, payer, args));
    if (args.dryRun) return await showPrice(client, url, args, terminal);
    checkCanAsk(args, terminal);
    const payer = await openPayer(client, url, args, terminal);
    const { replaces } = args;
    let code: ExitCode = EXIT.done;
    // The payment is closed only when the response is written: until then, the same command fetches it again.
    const accept = async (bought: PurchaseResult) => {
      code = printBought(spec, bought as PurchaseResult<Answer>, args, terminal);
      await terminal.flush();
    };
    const buyer: Pick<Payer, 'buy'> = {
      buy: (asked, options) => payer.buy(asked, { ...options, replaces, accept }),
    };
    await spec.buy(client, buyer, args);
    return code;
  } catch (error) {
    const failure = describePaidFailure(error, client.url);
    if (failure === undefined) throw error;
    return printFailure(failure, terminal);
  }
}

function printBought<Args, Answer>(
  spec: PaidSpec<Args, Answer>,
  { data: answer, payment }: PurchaseResult<Answer>,
  printing: Printing,
  terminal: Terminal,
): ExitCode {
  const forms: Forms = {
    json: () => ({ answer, payment: payment && presentPayment(payment) }),
    csv: () => spec.csv(answer),
    show: (screen) => [...spec.show(answer, screen), '', ...renderList(receipt(payment), screen)],
  };
  const { form, select } = printing;
  let code: ExitCode = EXIT.done;
  try {
    printForms(printing, terminal, forms);
  } catch (error) {
    // The response was paid for, so print it even if it is unexpected.
    printForms({ form: 'json' }, terminal, forms);
    if (error instanceof PathError) {
      const text = `--select: ${sanitizeServerText(error.message)}; printing the entire response instead`;
      code = printFailure({ text, exitCode: EXIT.usage }, terminal);
    } else {
      const text = 'the response has an unexpected format; printing it unchanged';
      terminal.errors.write(`assay: ${text}\n`);
    }
  }
  if (form === 'csv' || select !== undefined) {
    const screen = screenOf(terminal.errors, terminal.env);
    terminal.errors.write(`${renderList(receipt(payment), screen).join('\n')}\n`);
  }
  return code;
}

/** Returns the URL to buy from, as the client's action would request it. */
async function urlOf(buy: (payer: Pick<Payer, 'buy'>) => Promise<unknown>): Promise<string> {
  let asked = '';
  await buy({
    async buy(url) {
      asked = url;
      return { data: null, answer: null, payment: null };
    },
  });
  return asked;
}

async function showPrice(
  client: Client,
  url: string,
  { form, select, most }: PaidSettings,
  terminal: Terminal,
): Promise<number> {
  const offer = await getOffer(client, url);
  printOffer(offer, { form, select }, terminal);
  const price = offer && choosePrice(offer).amount;
  if (price === null || most === undefined || price <= most) return EXIT.done;
  const text = `the price is ${usdOf(price)} USD, and --max-usd allows ${usdOf(most)}`;
  return printFailure({ text, exitCode: EXIT.notPaid }, terminal);
}

function receipt(payment: Payment | null): [string, string][] {
  if (payment === null) return [['paid', 'it is free']];
  const { amount, payTo, payer, network, receipt: settled } = payment;
  const token = findStablecoin(payment)?.name ?? payment.asset;
  return [
    ['paid', `${usdOf(amount)} USD (${token}, ${network})`],
    ['to', payTo],
    ['from', payer],
    ['receipt', settled?.transaction ?? 'the server sent no receipt'],
  ];
}

function presentPayment({ amount, ...payment }: Payment) {
  return { ...payment, amount: `${amount}`, usd: usdOf(amount) };
}

function readPaidSettings(flags: FlagValues): PaidSettings {
  const given = flags.get('max-usd');
  const most = given === undefined ? undefined : readUsd(given);
  if (given !== undefined && most === undefined) {
    throw new UsageError('--max-usd must be an amount such as 0.05; correct it');
  }
  return {
    ...readSettings(flags),
    most,
    payTo: readAddress(flags, 'pay-to'),
    acceptPayTo: readAddress(flags, 'accept-pay-to'),
    dryRun: flags.has('dry-run'),
    yes: flags.has('yes'),
    keyFile: flags.get('key-file'),
    keystore: flags.get('keystore'),
    allowLoopback: flags.has('allow-loopback'),
    rpc: readRpc(flags),
    replaces: flags.get('replaces'),
  };
}

function readAddress(flags: FlagValues, name: string): string | undefined {
  const given = flags.get(name);
  if (given === undefined || /^0x[0-9a-f]{40}$/i.test(given)) return given;
  throw new UsageError(`--${name} must be an address, 0x and 40 hexadecimal digits; correct it`);
}
