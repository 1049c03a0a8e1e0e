// Buys the given responses with its spend in a folder, and kills itself at the given event. Prints each response before
// its payment is closed.
import {
  createMemoryStore,
  createPayer,
  isAssayError,
  type PayerOptions,
} from '../../src/index.ts';
import { createFileStore } from '../../src/node/index.ts';
import { withPolicy } from '../../src/policies/index.ts';
import { createRpcSigner } from '../../src/signer/index.ts';
import { createDeath, type Death } from './dying.ts';

export interface WantsOptions extends Death {
  readonly folder: string;
  /** Address and URL of the wallet that signs. */
  readonly wallet: { readonly address: string; readonly rpc: string };
  /** The policy, with allow lists and caps. */
  readonly policy: object;
  readonly wants: readonly Want[];
  /** RPC endpoint that proves payments. */
  readonly rpc?: string | undefined;
  /** How far its clock is ahead, in seconds. */
  readonly ahead: number;
  readonly retries: number;
  /** Buys concurrently. */
  readonly together: boolean;
  /** Reviews open payments first. */
  readonly review: boolean;
  /** Stores no spend, which switches the protection off. */
  readonly forgets: boolean;
}

/** A response to buy. */
export interface Want {
  readonly name: string;
  readonly url: string;
  /** PurchaseResult by POST; absent: by GET. */
  readonly body?: string;
  readonly maxAmount: string;
  /** The caller pays again despite this payment. */
  readonly replaces?: string | undefined;
}

/** A line of output. */
export interface WantLine {
  readonly name: string;
  /** Absent if it failed. */
  readonly had?: true;
  readonly failure?: string;
  /** The payment that is open after a failure. */
  readonly paymentId?: string | undefined;
}

const options = JSON.parse(process.argv[2]!) as WantsOptions;
const { watchStore, watchSigner, watchFetch } = createDeath(options);
const had = new Set<string>();
const now = () => Math.floor(Date.now() / 1000) + options.ahead;
const store = options.forgets ? createMemoryStore() : createFileStore(options.folder);
const terms = withPolicy(options.policy, watchStore(store), { now });
const { rpc } = options;
const payer = createPayer({
  ...terms,
  allow: { ...terms.allow, allowLoopback: true },
  signer: watchSigner(createRpcSigner(options.wallet)),
  fetch: watchFetch(fetch),
  now,
  // Long enough for an honest response on a busy machine.
  timeoutMs: 1_500,
  retries: options.retries,
  maxWaitMs: 300,
  ...(rpc && { proof: { rpc: { 'eip155:8453': rpc }, finality: 'latest' } }),
} satisfies PayerOptions);
// Only the first want is a GET, which the client can send again by itself.
if (options.review) {
  const { name } = options.wants[0]!;
  const accept = () => tell({ name, had: true });
  await payer.review({ headers: { 'x-want': name }, accept }).catch(() => {});
}
if (options.together) await Promise.all(options.wants.map(buy));
else for (const want of options.wants) await buy(want);

async function buy({ name, url, body, replaces, ...want }: Want): Promise<void> {
  if (had.has(name)) return;
  const limits = { maxAmount: BigInt(want.maxAmount), headers: { 'x-want': name }, replaces };
  const accept = () => tell({ name, had: true });
  try {
    if (body === undefined) await payer.buy(url, { ...limits, accept });
    else await payer.fetch(url, { method: 'POST', body }, { ...limits, accept });
  } catch (error) {
    if (!isAssayError(error)) throw error;
    tell({ name, failure: error.type, paymentId: error.payment?.id });
  }
}

function tell(line: WantLine): void {
  if (line.had) had.add(line.name);
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
