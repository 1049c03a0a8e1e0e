import { createClient } from '@assay/client';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { readOperations, readOwnDocument } from './apiOperations.ts';
import type { AgentBudget } from './budget.ts';
import { createMcp } from './createMcp.ts';

/** A model reads the whole list before it starts. */
const MAX_BYTES = 12 * 1024;

test.each([true, false])(
  'default: tools/list has at most 12 KB (may spend: %s)',
  async (maySpend) => {
    const own = await readOwnDocument();
    const fetch = async () => Response.json(own);
    const client = createClient({ url: 'http://127.0.0.1:1', fetch, retries: 0 });
    const operations = await readOperations(client, own);
    const budget = {} as AgentBudget;
    const onError = (error: unknown) => expect(error).toBeUndefined();
    const create = createMcp({ client, operations, version: '0.0.0', budget, onError });
    const [here, there] = InMemoryTransport.createLinkedPair();
    const agent = new Client({ name: 'test', version: '1.0.0' });
    await create({ maySpend }).connect(there);
    await agent.connect(here);
    const { tools } = await agent.listTools();
    expect(tools.length).toBe(maySpend ? 22 : 20);
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(MAX_BYTES);
    await agent.close();
  },
);
