import { afterEach, describe, expect, test } from 'vitest';
import { connectMcp, type McpClient } from './mcpClients.ts';
import type { ReadServer } from './readServer.ts';

export interface Spending {
  readonly server: ReadServer;
  /** The URL of tools that spend with the token. */
  readonly httpUrl: string;
  readonly token: string;
  /** Flags for 0.12 USD per day and 0.06 USD per response. */
  readonly budget: readonly string[];
  /** Costs 0.05 USD. */
  readonly nodeId: string;
}

/** Tests tools that pay with the operator's money. */
export function describeSpending(get: () => Spending): void {
  describe("the operator's budget", () => {
    const clients: McpClient[] = [];
    afterEach(async () => {
      for (const client of clients.splice(0)) await client.close();
    });
    async function connect(to: Parameters<typeof connectMcp>[1]): Promise<McpClient> {
      const client = await connectMcp('of 2026', to);
      clients.push(client);
      return client;
    }

    test('default: spends over stdio, and over HTTP with the token, up to its cap', async () => {
      const { server, httpUrl, token, budget, nodeId } = get();
      const before = await server.earned();
      const env = { ASSAY_URL: server.url };
      const stdio = await connect({ args: budget, folder: server.folder, env });
      const spent = [stdio, await connect({ url: httpUrl, token })];
      for (const client of spent) {
        // With an older response allowed, the second client would reuse the first one's.
        const { structuredContent, _meta, content } = await client.call('assay_risk_node', {
          nodeId,
          maxAgeSeconds: 0,
        });
        expect(structuredContent, content?.[0]?.text).toMatchObject({ id: nodeId });
        expect(_meta?.['x402/payment-response']).toMatchObject({ success: true, amount: '50000' });
      }
      expect((await server.earned()) - before).toBe(100_000n);
      // Both share one spend state: the daily budget is used up for either.
      for (const client of spent) {
        const again = { nodeId, maxAgeSeconds: 0 };
        const { isError, content } = await client.call('assay_risk_node', again);
        expect(isError).toBe(true);
        expect(content![0]!.text).toMatch(/^nothing was paid: .* budget \(period\) allows 120000/);
      }
      expect((await server.earned()) - before).toBe(100_000n);
    });

    test('behavior: no response costs more than the cap per response', async () => {
      const { server, httpUrl, token } = get();
      const before = await server.earned();
      const client = await connect({ url: httpUrl, token });
      const { address } = server.world.families[0]!;
      const { isError, content } = await client.call('assay_risk_dependencies', {
        nodeId: `pool:base:${address.toLowerCase()}`,
      });
      expect(isError).toBe(true);
      expect(content![0]!.text).toMatch(
        /price is 1000000 base units.* budget \(call\) allows 60000/,
      );
      expect(await server.earned()).toBe(before);
    });

    test('error: spends nothing without the token, and serves nothing with a wrong one', async () => {
      const { httpUrl, nodeId, token } = get();
      const guest = await connect({ url: httpUrl });
      expect(await guest.call('assay_risk_node', { nodeId })).toMatchObject({
        isError: true,
        structuredContent: { error: 'payment_required' },
      });
      for (const wrong of [`${token}x`, 'x']) {
        await expect(connect({ url: httpUrl, token: wrong })).rejects.toThrow();
      }
    });

    test('error: rejects pages of another origin, and another host name of this machine', async () => {
      const { httpUrl } = get();
      const post = (headers: Record<string, string>) =>
        fetch(httpUrl, { method: 'POST', headers, body: '{}' });
      expect((await post({ origin: 'https://example.com' })).status).toBe(403);
      expect((await fetch(httpUrl.replace('/mcp', '/other'))).status).toBe(404);
    });

    test.each([
      ['mcp --http 0 --daily-usd 1 --max-usd 0.1', /ASSAY_MCP_TOKEN/, 2],
      ['mcp --http 0 --public-url https://mcp.example.com', /ASSAY_MCP_TOKEN/, 2],
      ['mcp --http 0 --public-url http://mcp.example.com', /https/, 2],
      ['mcp --public-url https://mcp.example.com', /--http/, 2],
      ['mcp --daily-usd 1', /--max-usd/, 2],
      ['mcp --max-usd 1', /--daily-usd/, 2],
      ['mcp --url http://127.0.0.1:1', /no server responds at http:\/\/127\.0\.0\.1:1/, 3],
      ['mcp --key-file nothing --daily-usd 1 --max-usd 0.1', /nothing cannot be read/, 2],
    ])('error: assay %s reports what to change in one line', async (line, words, code) => {
      const finished = await get().server.assay(line);
      expect(finished).toMatchObject({ code, out: '', err: expect.stringMatching(words) });
      expect(finished.err.trim().split('\n')).toHaveLength(1);
    });
  });
}
