import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { OpenApi } from '../src/http/openapiDocument.ts';
import { startCommand } from './commandLine.ts';
import type { ReadServer } from './readServer.ts';

const FILE = new URL('../SKILL.md', import.meta.url);
const DEMO_URL = 'http://127.0.0.1:8080';

/** Tests the documents that agents and directories read first: every example must work as written. */
export function describeAgentDocuments(getServer: () => ReadServer): void {
  describe('documents for agents', () => {
    const ask = async (url: string, method = 'GET') => {
      const response = await fetch(url, { method });
      return { status: response.status, text: await response.text() };
    };

    test("default: SKILL.md contains this server's address, and its examples work", async () => {
      const { url } = getServer();
      const { status, text } = await ask(`${url}/SKILL.md`);
      expect(status).toBe(200);
      expect(text).toBe(readFileSync(FILE, 'utf8').replaceAll(DEMO_URL, url));
      expect(text).toMatch(/^---\nname: assay\ndescription: .{1,1024}\n---\n/);
      const examples = [...text.matchAll(/^curl (-i )?'([^']+)'$/gm)];
      expect(examples.length).toBeGreaterThan(10);
      for (const [, isPaid, asked] of examples) {
        expect((await ask(asked!)).status, asked).toBe(isPaid ? 402 : 200);
      }
      for (const [, named] of text.matchAll(/`(http[^`]+)`/g)) {
        if (named !== url) expect((await ask(named!)).status, named).toBe(200);
      }
    });

    test('default: every command and host configuration of docs/agents.md starts', async () => {
      const { url, folder } = getServer();
      const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');
      const lines = [...page.matchAll(/^npx assay (mcp.*)$/gm)].map(([, words]) =>
        words!.split(' '),
      );
      const { mcpServers } = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)![1]!);
      const hosted = (mcpServers.assay.args as string[]).slice(1);
      expect(lines.length).toBeGreaterThanOrEqual(3);
      for (const words of [...lines, hosted]) {
        const own = words.map((word) => (word === '8090' ? '0' : word === DEMO_URL ? url : word));
        const started = startCommand(own, { ASSAY_URL: url }, folder);
        if (own.includes('--http')) {
          await started.says(/the MCP tools are at http/);
          expect(await started.end('SIGTERM')).toBe(0);
        } else {
          // It reads no input and exits when its input ends.
          expect(await started.exit, started.errors()).toBe(0);
        }
      }
    });

    test('default: llms.txt links to existing documents, and lists every operation with its price', async () => {
      const { url } = getServer();
      const { status, text } = await ask(`${url}/llms.txt`);
      expect(status).toBe(200);
      expect(text).toMatch(/^# Assay\n\n> /);
      const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
      expect(links.length).toBeGreaterThanOrEqual(5);
      for (const link of links) expect((await ask(link)).status, link).toBe(200);
      const { paths } = JSON.parse((await ask(`${url}/openapi.json`)).text) as OpenApi;
      for (const [path, { get }] of Object.entries(paths)) {
        if (get.tags.includes('previous')) continue;
        const price = get['x-payment-info']?.price;
        const cost =
          price === undefined
            ? ''
            : price.mode === 'fixed'
              ? ` (${price.amount} USD)`
              : ` (${price.min} USD per id)`;
        expect(text).toContain(`- \`GET ${path}\`${cost}: ${get.summary}`);
        const exampleOf = (name: string) =>
          EXAMPLES[name] ?? String(get.parameters.find((one) => one.name === name)?.example);
        const asked = path.replace(/\{(\w+)\}/g, (_, name: string) => exampleOf(name));
        if (get.parameters.some((one) => one.in === 'query' && one.required)) continue;
        // A stream's body never ends.
        const method = path.endsWith('/stream') ? 'HEAD' : 'GET';
        // The widget is off unless the configuration turns it on.
        const free = path.startsWith('/embed/') ? 404 : 200;
        expect((await ask(url + asked, method)).status, asked).toBe(
          price === undefined ? free : 402,
        );
      }
    });

    test('default: /.well-known/x402 lists the routes that return 402, with the documented price', async () => {
      const { url } = getServer();
      const listed = JSON.parse((await ask(`${url}/.well-known/x402`)).text);
      expect(listed).toEqual({ version: 1, x402Version: 2, resources: expect.any(Array) });
      expect(listed.resources).toHaveLength(6);
      const { paths } = JSON.parse((await ask(`${url}/openapi.json`)).text) as OpenApi;
      const prices = Object.values(paths).flatMap(({ get }) => get['x-payment-info'] ?? []);
      expect(prices).toHaveLength(6);
      const asked: string[] = [];
      for (const resource of listed.resources) {
        const { status, text } = await ask(resource);
        expect(status, resource).toBe(402);
        const { accepts, extensions, resource: named } = JSON.parse(text);
        expect(named.url).toBe(resource);
        expect(extensions.bazaar.schema).toHaveProperty('properties.input');
        asked.push(String(Number(accepts[0].amount) / 1e6));
      }
      expect(asked.toSorted()).toEqual(
        prices
          .map(({ price }) => String(Number(price.mode === 'fixed' ? price.amount : price.min)))
          .toSorted(),
      );
    });
  });
}

const EXAMPLES: Readonly<Record<string, string>> = {
  slug: 'svcusd',
  walletAddress: '0x1111111111111111111111111111111111111111',
  nodeId: 'chain:base',
};
