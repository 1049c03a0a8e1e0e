import { loadBuilt } from '../loadBuilt.ts';
import { answerMessages } from '../vaultApi/worker.ts';
import type { SideSettings } from './paymentWorld.ts';
import type { AuthorizationTexts } from './signerProcess.ts';

// Assay's facilitator alone, which only settles.
export type SettlerMessage =
  | { readonly kind: 'start'; readonly settings: SideSettings }
  | {
      readonly kind: 'settle';
      readonly payments: readonly AuthorizationTexts[];
      readonly atOnce: number;
    };

export interface SettlerAnswer {
  readonly ms: number;
  readonly settled: number;
}

interface Facilitator {
  /** Recovers the signer once; the settlement reuses it. */
  signerOf(payment: object): unknown;
  settle(payment: object): Promise<{ readonly outcome: string }>;
}

let facilitator: Promise<Facilitator> | undefined;

answerMessages<SettlerMessage>(async (message) => {
  if (message.kind === 'start') facilitator = start(message.settings);
  const ready = await facilitator!;
  return message.kind === 'start' ? {} : settle(ready, message);
});

async function start({ world, key }: SideSettings): Promise<Facilitator> {
  const { createEmbeddedFacilitator } = await loadBuilt('payments/facilitator/embedded.js');
  const { createNodes } = await loadBuilt('payments/chain/nodes.js');
  const { createSignerOf } = await loadBuilt('payments/authorization/curveSigner.js');
  const { terms, multicall, url } = world;
  const nodes = createNodes({ chainId: terms.chainId, rpcUrls: [url], timeoutMs: 10_000 });
  const signerOf = createSignerOf(terms);
  const { settle: settleOne } = createEmbeddedFacilitator({
    nodes,
    terms,
    privateKeys: [key],
    multicall,
    signerOf,
    maxFeePerGas: 10n ** 12n,
  });
  return { signerOf, settle: settleOne };
}

async function settle(
  { signerOf, settle: settleOne }: Facilitator,
  { payments, atOnce }: Extract<SettlerMessage, { kind: 'settle' }>,
): Promise<SettlerAnswer> {
  const signed = payments.map(({ authorization, signature }) => {
    const { value, validAfter, validBefore } = authorization;
    const amounts = {
      value: BigInt(value!),
      validAfter: BigInt(validAfter!),
      validBefore: BigInt(validBefore!),
    };
    return { authorization: { ...authorization, ...amounts }, signature };
  });
  // A seller has verified the signatures before it settles.
  for (const payment of signed) signerOf(payment);
  let next = 0;
  let settled = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < signed.length) {
        const { outcome } = await settleOne(signed[next++]!);
        if (outcome === 'settled') settled += 1;
      }
    }),
  );
  return { ms: performance.now() - began, settled };
}
