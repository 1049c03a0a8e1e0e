// Buys a risk grade from the demo. Runs on Node, Bun, and Deno, in the folder of .assay/demo.json:
//   node buy.mjs
//   bun buy.mjs
//   deno run --allow-all buy.mjs
import { readFile } from 'node:fs/promises';
import { agentNode, allowDemo, createClient, createPayer, isAssayError } from '@assay/client';
import { createFileStore } from '@assay/client/node';
import { privateKeyToAccount } from 'viem/accounts';

const demo = JSON.parse(await readFile('.assay/demo.json', 'utf8'));
const client = createClient({ url: demo.apiUrl });
const payer = createPayer({
  signer: privateKeyToAccount(demo.wallets[1].privateKey),
  allow: allowDemo(demo),
  budget: { perCall: 60_000n, total: 1_000_000n },
  // On disk, so that a restart continues with the same caps and the same open payments.
  store: createFileStore('.assay/example-spend'),
});

try {
  const { data, payment } = await agentNode(client, payer, { nodeId: 'chain:base' });
  console.log(data.id, data._riskTier, payment?.receipt?.transaction);
} catch (error) {
  if (!isAssayError(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
