import { afterEach, describe, expect, test } from 'vitest';
import { connectMcp, type Elicited, type Generation, type McpClient } from './mcpClients.ts';
import type { ReadServer } from './readServer.ts';

/** Far more than these tests spend. */
const BUDGET = ['--daily-usd', '50', '--max-usd', '0.3'];

interface BuyingTests {
  readonly server: ReadServer;
  /** The URL of tools that spend only with a token. */
  readonly httpUrl: string;
  /** Costs 0.05 USD. */
  readonly nodeId: string;
}

/** Tests the tools before and after they spend the operator's money. */
export function describeBuying(get: () => BuyingTests): void {
  describe('buying with a budget', () => {
    const clients: McpClient[] = [];
    afterEach(async () => {
      for (const client of clients.splice(0)) await client.close();
    });
    async function connect(generation: Generation = 'of 2026', elicited?: Elicited) {
      const { server } = get();
      const stdio = { args: BUDGET, folder: server.folder, env: { ASSAY_URL: server.url } };
      const client = await connectMcp(generation, stdio, elicited);
      clients.push(client);
      return client;
    }
    /** Returns what the server earned during `work`, in base units. */
    async function earning<Result>(work: () => Promise<Result>) {
      const before = await get().server.earned();
      const result = await work();
      return { result, earned: (await get().server.earned()) - before };
    }

    test('default: a response within its maximum age is not bought again, even by another process', async () => {
      const { nodeId, httpUrl } = get();
      const client = await connect();
      const node = (by: McpClient, maxAgeSeconds?: number) =>
        earning(() =>
          by.call('assay_risk_node', {
            nodeId,
            ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
          }),
        );
      const first = await node(client, 0);
      expect(first.earned).toBe(50_000n);
      expect(first.result.structuredContent).not.toHaveProperty('_reused');
      const other = await connect('of 2025');
      for (const by of [client, other]) {
        const again = await node(by);
        expect(again.earned).toBe(0n);
        const { _reused, ...answer } = again.result.structuredContent!;
        expect(answer).toEqual(first.result.structuredContent);
        expect(_reused).toEqual({
          ageSeconds: expect.any(Number),
          paymentId: expect.any(String),
          paid: false,
        });
        expect(again.result._meta?.['x402/payment-response']).toBeUndefined();
      }
      expect((await node(other, 0)).earned).toBe(50_000n);
      // Only the operator's token spends its budget: a client without a token gets an invoice.
      const guest = await connectMcp('of 2026', { url: httpUrl });
      clients.push(guest);
      expect(await guest.call('assay_risk_node', { nodeId })).toMatchObject({
        isError: true,
        structuredContent: { error: 'payment_required' },
      });
    });

    test('default: several nodes are one payment, and a quote is its price', async () => {
      const { server, httpUrl, nodeId } = get();
      const nodeIds = [nodeId, 'chain:ethereum', 'chain:arbitrum'];
      const client = await connect();
      const guest = await connectMcp('of 2025', { url: httpUrl });
      clients.push(guest);
      const asked = { tool: 'assay_risk_nodes', arguments: { nodeIds } };
      const quotes = await earning(() =>
        Promise.all([client, guest].map((by) => by.call('assay_quote', asked))),
      );
      expect(quotes.earned).toBe(0n);
      for (const { structuredContent } of quotes.result) {
        expect(structuredContent).toMatchObject({
          usd: '0.15',
          amount: '150000',
          network: 'eip155:8453',
        });
      }
      const bought = await earning(() =>
        client.call('assay_risk_nodes', { nodeIds, maxAgeSeconds: 0 }),
      );
      expect(bought.earned).toBe(150_000n);
      const { nodes } = bought.result.structuredContent as { nodes: { id: string }[] };
      expect(nodes.map(({ id }) => id)).toEqual(nodeIds);
      const wrong = await client.call('assay_quote', { tool: 'assay_risk_nodes', arguments: {} });
      expect(wrong).toMatchObject({ isError: true });
      const unknown = await earning(() =>
        client.call('assay_risk_nodes', { nodeIds: [nodeId, 'chain:nothing'] }),
      );
      expect(unknown.earned).toBe(0n);
      expect(unknown.result.content![0]!.text).toContain('chain:nothing');
      expect(server.url).toBeTruthy();
    });

    test('default: the budget and the payments are returned, and add up', async () => {
      const { nodeId } = get();
      const client = await connect();
      const read = async () =>
        (await client.call('assay_budget', {})).structuredContent as Record<string, string>;
      const before = await read();
      expect(before).toMatchObject({ perCallUsd: '0.30', perDayUsd: '50.00', nextCallUsd: '0.30' });
      const { earned } = await earning(() =>
        client.call('assay_risk_node', { nodeId, maxAgeSeconds: 0 }),
      );
      expect(earned).toBe(50_000n);
      const after = await read();
      const units = (usd: string | undefined) => Math.round(Number(usd) * 1e6);
      expect(units(after.spentUsd) - units(before.spentUsd)).toBe(50_000);
      expect(units(after.usedTodayUsd) - units(before.usedTodayUsd)).toBe(50_000);
      expect(units(before.leftTodayUsd) - units(after.leftTodayUsd)).toBe(50_000);
      const { structuredContent } = await client.call('assay_spend', { limit: 1 });
      expect(structuredContent).toMatchObject({
        payments: [
          {
            usd: '0.05',
            outcome: 'paid',
            url: expect.stringContaining(encodeURIComponent(nodeId)),
          },
        ],
      });
      const guest = await connectMcp('of 2026', { url: get().httpUrl });
      clients.push(guest);
      const offered = (await guest.tools()).map(({ name }) => name);
      expect(offered).not.toContain('assay_budget');
      expect(offered).not.toContain('assay_spend');
    });

    test.each(['of 2026', 'of 2025'] as const)(
      'default: asks the user first, and pays nothing after a no (client %s)',
      async (generation) => {
        const { nodeId } = get();
        const messages: string[] = [];
        let answer: ReturnType<Elicited> = { action: 'decline' };
        const client = await connect(generation, (message) => {
          messages.push(message);
          return answer;
        });
        const buy = () =>
          earning(() => client.call('assay_risk_node', { nodeId, maxAgeSeconds: 0 }));
        const noes = [
          { action: 'decline' },
          { action: 'cancel' },
          { action: 'accept', content: { pay: false } },
        ] as const;
        for (const no of noes) {
          answer = no;
          const { result, earned } = await buy();
          expect(earned).toBe(0n);
          expect(result).toMatchObject({ isError: true });
          expect(result.content![0]!.text).toBe('nothing was paid: the user declined');
        }
        answer = { action: 'accept', content: { pay: true } };
        const { result, earned } = await buy();
        expect(result.structuredContent, result.content?.[0]?.text).toMatchObject({ id: nodeId });
        expect(earned).toBe(50_000n);
        expect(messages).toHaveLength(4);
        for (const message of messages) {
          expect(message).toMatch(
            /^Pay 0\.05 USD to 0x[0-9a-fA-F]{40} on eip155:8453 for assay_risk_node /,
          );
        }
        // Free calls need no confirmation.
        await client.call('assay_risk_node', { nodeId });
        expect(messages).toHaveLength(4);
      },
    );
  });
}
