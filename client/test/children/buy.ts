// Buys what it is told, with its spend in a folder, and kills itself at the event that it is told. The client runs
// unchanged: only the store, the signer and the fetch that it is given are watched.
import { createHash } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { createPayer, type PayerOptions, type Signer, type SpendStore } from '../../src/index.ts';
import { createFileStore } from '../../src/node/index.ts';

export interface BuyOptions {
  readonly urls: readonly string[];
  readonly folder: string;
  readonly key: `0x${string}`;
  readonly allow: PayerOptions['allow'];
  /** Amounts as text. */
  readonly budget: { readonly perCall: string; readonly total: string };
  /** After so many events it is gone; absent: never. */
  readonly dieAt?: number;
  /** So long after that event, in milliseconds: in the middle of whatever follows it. */
  readonly dieLater?: number;
  /** All at once. */
  readonly together?: boolean;
}

/** A line of its output. */
export interface BuyLine {
  readonly url: string;
  /** Of the answer. */
  readonly hash?: string;
  readonly failure?: string;
}

const options = JSON.parse(process.argv[2]!) as BuyOptions;
let events = 0;

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

/** What a life before this one had paid for is not paid again. */
async function buy(url: string): Promise<void> {
  const paid = payments.find((one) => one.url === url);
  try {
    const answer = paid ? await payer.again(paid.id) : (await payer.buy(url)).answer;
    const hash = createHash('sha256').update(JSON.stringify(answer)).digest('hex');
    tell({ url, hash });
  } catch (error) {
    tell({ url, failure: (error as { type?: string }).type ?? String(error) });
  }
}

function tell(line: BuyLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function happened(): void {
  events += 1;
  if (events !== options.dieAt) return;
  const die = () => process.kill(process.pid, 'SIGKILL');
  if (options.dieLater) setTimeout(die, options.dieLater);
  else die();
}

function watchStore(store: SpendStore): SpendStore {
  return {
    ...store,
    async transact(change) {
      happened();
      const result = await store.transact(change);
      happened();
      return result;
    },
  };
}

function watchSigner(signer: Signer): Signer {
  return {
    address: signer.address,
    async signTypedData(typedData) {
      happened();
      const signature = await signer.signTypedData(typedData);
      happened();
      return signature;
    },
  };
}

function watchFetch(own: typeof fetch): typeof fetch {
  return async (input, init) => {
    happened();
    const response = await own(input, init);
    happened();
    return response;
  };
}
