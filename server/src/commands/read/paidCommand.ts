import { type Bought, type Client, getOffer, type Payer, type Payment } from '@assay/client';
import type { FlagValues } from '../../cli/flags.ts';
import { UsageError } from '../../cli/usageError.ts';
import { renderList } from '../../terminal/list.ts';
import { type Screen, screenOf } from '../../terminal/screen.ts';
import type { Command, Terminal } from '../command.ts';
import { EXIT, PAID_EXITS } from './exitCodes.ts';
import { choosePrice, printOffer } from './offer.ts';
import { describePaidFailure } from './paidFailures.ts';
import {
  type Forms,
  openClient,
  printAnswer,
  READ_FLAGS,
  type ReadSettings,
  readSettings,
  tell,
} from './readCommand.ts';
import { findStablecoin, readUsd, usdOf } from './stablecoins.ts';
import { checkCanAsk, openTill, type PaySettings } from './till.ts';
import { defineWith, type ReadWords } from './words.ts';

/** A command that buys one answer, and shows it with its receipt. */
export interface PaidSpec<Args, Answer> extends ReadWords<Args> {
  buy(client: Client, payer: Pick<Payer, 'buy'>, args: Args): Promise<Bought<Answer>>;
  csv(answer: Answer): readonly string[];
  show(answer: Answer, screen: Screen): readonly string[];
}

const PAID_FLAGS = {
  'max-usd': { value: 'N', text: 'the most that it may cost' },
  'dry-run': { text: 'show the invoice, and pay nothing' },
  yes: { text: 'pay without asking; needs --max-usd' },
  'key-file': { value: 'FILE', text: 'private key to pay with (default $ASSAY_PRIVATE_KEY)' },
  'pay-to': { value: 'ADDRESS', text: 'pay nobody else' },
  'real-chain': { text: 'a server on this machine that is not the demo' },
  ...READ_FLAGS,
  json: { text: 'as JSON: the answer and its payment' },
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
    const payer = await openTill(client, url, args, terminal);
    printBought(spec, await spec.buy(client, payer, args), args.form, terminal);
    return EXIT.done;
  } catch (error) {
    const failure = describePaidFailure(error, client.url);
    if (failure === undefined) throw error;
    return tell(failure, terminal);
  }
}

function printBought<Args, Answer>(
  spec: PaidSpec<Args, Answer>,
  { answer, payment }: Bought<Answer>,
  form: ReadSettings['form'],
  terminal: Terminal,
): void {
  const forms: Forms = {
    json: () => ({ answer, payment: payment && presentPayment(payment) }),
    csv: () => spec.csv(answer),
    show: (screen) => [...spec.show(answer, screen), '', ...renderList(receipt(payment), screen)],
  };
  try {
    printAnswer(form, terminal, forms);
  } catch {
    // It was paid for: whatever it is, it is not kept back.
    printAnswer('json', terminal, forms);
    terminal.errors.write(
      'assay: the answer is not what was expected; it stands there as it came\n',
    );
  }
  if (form !== 'csv') return;
  const screen = screenOf(terminal.errors, terminal.env);
  terminal.errors.write(`${renderList(receipt(payment), screen).join('\n')}\n`);
}

/** The address that is bought from: an action tells it to whoever pays. */
async function urlOf(buy: (payer: Pick<Payer, 'buy'>) => Promise<unknown>): Promise<string> {
  let asked = '';
  await buy({
    async buy(url) {
      asked = url;
      return { answer: null, payment: null };
    },
  });
  return asked;
}

async function showPrice(
  client: Client,
  url: string,
  { form, most }: PaidSettings,
  terminal: Terminal,
): Promise<number> {
  const offer = await getOffer(client, url);
  printOffer(offer, form, terminal);
  const price = offer && choosePrice(offer).amount;
  if (price === null || most === undefined || price <= most) return EXIT.done;
  const text = `it costs ${usdOf(price)} USD, and --max-usd allows ${usdOf(most)}`;
  return tell({ text, exitCode: EXIT.notPaid }, terminal);
}

function receipt(payment: Payment | null): [string, string][] {
  if (payment === null) return [['paid', 'nothing was asked for it']];
  const { amount, payTo, payer, network, receipt: told } = payment;
  const token = findStablecoin(payment)?.name ?? payment.asset;
  return [
    ['paid', `${usdOf(amount)} USD (${token}, ${network})`],
    ['to', payTo],
    ['from', payer],
    ['receipt', told?.transaction ?? 'the seller sent none'],
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
  const payTo = flags.get('pay-to');
  if (payTo !== undefined && !/^0x[0-9a-f]{40}$/i.test(payTo)) {
    throw new UsageError('--pay-to must be an address, 0x and 40 hexadecimal digits; correct it');
  }
  return {
    ...readSettings(flags),
    most,
    payTo,
    dryRun: flags.has('dry-run'),
    yes: flags.has('yes'),
    keyFile: flags.get('key-file'),
    realChain: flags.has('real-chain'),
  };
}
