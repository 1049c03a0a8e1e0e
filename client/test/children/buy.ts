// Buys the given URLs with its spend in a folder, and kills itself at the given event. The client is unmodified: only the
// store, the signer, and the fetch passed to it are watched.
import { createHash } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { createPayer, type PayerOptions } from '../../src/index.ts';
import { createFileStore } from '../../src/node/index.ts';
import { createDeath, type Death } from './dying.ts';

export interface BuyOptions extends Death {
  readonly urls: readonly string[];
  readonly folder: string;
  readonly key: `0x${string}`;
  readonly allow: PayerOptions['allow'];
  /** Amounts as decimal strings. */
  readonly budget: { readonly perCall: string; readonly total: string };
  /** Buys concurrently. */
  readonly together?: boolean;
}

/** A line of output. */
export interface BuyLine {
  readonly url: string;
  /** Hash of the response. */
  readonly hash?: string;
  readonly failure?: string;
}

const options = JSON.parse(process.argv[2]!) as BuyOptions;
const { watchStore, watchSigner, watchFetch } = createDeath(options);

const { perCall, total } = options.budget;
const payer = createPayer({
  signer: watchSigner(privateKeyToAccount(options.key)),
  store: watchStore(createFileStore(options.folder)),
  fetch: watchFetch(fetch),
  allow: options.allow,
  budget: { perCall: BigInt(perCall), total: BigInt(total) },
});
const { payments } = await payer.report();
if (options.together) await Promise.all(options.urls.map(buy));
else for (const url of options.urls) await buy(url);

/** Does not pay again for what an earlier process paid for. */
async function buy(url: string): Promise<void> {
  const paid = payments.find((one) => one.url === url);
  try {
    const answer = paid ? await payer.refetch(paid.id) : (await payer.buy(url)).data;
    const hash = createHash('sha256').update(JSON.stringify(answer)).digest('hex');
    tell({ url, hash });
  } catch (error) {
    tell({ url, failure: (error as { type?: string }).type ?? String(error) });
  }
}

function tell(line: BuyLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
