import { afterEach, describe, expect, test } from 'vitest';
import { createCheckedFetch } from '../../../test/answers.ts';
import type { Config } from '../../config/config.ts';
import type { Store } from '../../store/store.ts';
import { closeServer, listen } from '../listen.ts';
import { createServer } from '../server.ts';
import { legacyRoutes } from './routes.ts';

const VAULT = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const USER = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const FURTHER = '0x1f98431c8ad98523631ae4a59f267346ea31f984';
const ELSEWHERE = '0x4200000000000000000000000000000000000006';

function family(slug: string, ...chains: readonly object[]) {
  return { slug, address: VAULT, chains: chains.map((chain) => ({ vaults: [], ...chain })) };
}
const config = {
  http: {},
  chains: [
    { chainId: 8453, name: 'base' },
    { chainId: 1, name: 'ethereum' },
    { chainId: 10, name: 'optimism' },
    { chainId: 42161, name: 'arbitrum' },
  ],
  families: [
    family('svcusd', { chainId: 8453, address: VAULT, vaults: [FURTHER] }),
    family('other', { chainId: 10, address: VAULT }, { chainId: 1, address: ELSEWHERE }),
  ],
} as unknown as Config;

let app: ReturnType<typeof createServer>;
afterEach(() => closeServer(app, 100));

async function ask(path: string, publicUrl?: string) {
  const routes = legacyRoutes({
    config: { ...config, http: { ...config.http, ...(publicUrl && { publicUrl }) } },
    // No store is read: the routes only redirect.
    store: {} as Store,
    today: [],
  });
  app = createServer({ version: '1', getChainStatuses: async () => [], onError: () => {}, routes });
  const port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
  const { response, text } = await createCheckedFetch(`http://127.0.0.1:${port}`)(path);
  const body = JSON.parse(text) as { detail: string; successor: string | null };
  return { status: response.status, headers: response.headers, ...body };
}

describe('legacyRoutes', () => {
  test.each([
    [`/api/v1/vault/base/${VAULT}`, '/v1/vaults/svcusd'],
    [`/api/v1/vault/8453/${VAULT.toUpperCase().replace('0X', '0x')}`, '/v1/vaults/svcusd'],
    [`/api/v1/vault/yield/timeseries/base/${VAULT}`, '/v1/vaults/svcusd/timeseries/apy'],
    [`/api/v1/vault/tvl/timeseries/Base/${VAULT}?a=b`, '/v1/vaults/svcusd/timeseries/tvl'],
    [
      `/api/v1/history/user/base/${VAULT}/${USER.toLowerCase()}`,
      `/v1/history?family=svcusd&user=${USER}&chainId=8453`,
    ],
    [
      `/api/v1/vault/pending-redeems/base/${VAULT}/${USER}`,
      `/v1/users/${USER}/pending-redeems?family=svcusd`,
    ],
    [`/api/v1/performance/user/base/${VAULT}/${USER}`, `/v1/performance/${USER}?family=svcusd`],
  ])('default: %s', async (path, successor) => {
    const answer = await ask(path);
    expect(answer.status).toBe(410);
    expect(answer.successor).toBe(successor);
    expect(answer.detail).toContain(`GET ${successor},`);
    expect(answer.headers.get('link')).toBe(`<${successor}>; rel="successor-version"`);
    expect(answer.headers.get('sunset')).toBe('Wed, 30 Sep 2026 23:59:59 GMT');
    expect(answer.headers.get('deprecation')).toBe('@1790812799');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('behavior: the vault-wide route has no equivalent', async () => {
    const answer = await ask(`/api/v1/vault/pending-redeems/base/${VAULT}`);
    expect(answer).toMatchObject({ status: 410, successor: null });
    expect(answer.detail).toContain('/v1/users/{walletAddress}/pending-redeems?family=svcusd');
    expect(answer.detail).toContain('stats.pendingRedemptionAssets of GET /v1/vaults/svcusd');
    expect(answer.headers.get('link')).toBeNull();
    expect(answer.headers.get('sunset')).not.toBeNull();
  });

  test('behavior: absolute URLs if the public URL is known', async () => {
    const answer = await ask(`/api/v1/vault/base/${VAULT}`, 'https://api.example.com');
    expect(answer.successor).toBe('https://api.example.com/v1/vaults/svcusd');
    expect(answer.headers.get('link')).toContain('<https://api.example.com/v1/vaults/svcusd>');
  });

  test('error: unknown vault', async () => {
    const answer = await ask(`/api/v1/vault/base/${USER}`);
    expect(answer).toMatchObject({ status: 410, successor: null });
    expect(answer.detail).toContain(`The vault "${USER}" is unknown here`);
    expect(answer.detail).toContain('GET /v1/vaults/{slug}');
  });

  test('error: unknown network', async () => {
    const answer = await ask(`/api/v1/vault/nowhere/${VAULT}`);
    expect(answer).toMatchObject({ status: 410, successor: '/v1/vaults/svcusd' });
    expect(answer.detail).toContain('The network "nowhere" is unknown here');
  });

  test('error: unknown network, where the successor needs the chain', async () => {
    const answer = await ask(`/api/v1/history/user/nowhere/${VAULT}/${USER}`);
    expect(answer).toMatchObject({ status: 410, successor: null });
  });

  test('error: a network without the family', async () => {
    const answer = await ask(`/api/v1/vault/arbitrum/${VAULT}`);
    expect(answer.detail).toContain('The family svcusd is not on arbitrum');
  });

  test('behavior: one address on two chains is the vault of two families', async () => {
    const here = await ask(`/api/v1/vault/base/${VAULT}`);
    expect(here.successor).toBe('/v1/vaults/svcusd');
    await closeServer(app, 100);
    const there = await ask(`/api/v1/history/user/optimism/${VAULT}/${USER}`);
    expect(there.successor).toBe(`/v1/history?family=other&user=${USER}&chainId=10`);
    await closeServer(app, 100);
    // An additional vault over the same shares.
    const further = await ask(`/api/v1/vault/base/${FURTHER}`);
    expect(further.successor).toBe('/v1/vaults/svcusd');
  });

  test('error: another vault of the family there', async () => {
    const answer = await ask(`/api/v1/vault/optimism/${ELSEWHERE}`);
    expect(answer).toMatchObject({ status: 410, successor: '/v1/vaults/other' });
    const words = 'The vault of other on optimism is 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913.';
    expect(answer.detail).toContain(words);
  });

  test('error: no wallet', async () => {
    const answer = await ask(`/api/v1/performance/user/base/${VAULT}/${'x'.repeat(500)}`);
    expect(answer).toMatchObject({ status: 410, successor: null });
    expect(answer.detail).toContain('is not an address');
    expect(answer.detail.length).toBeLessThan(400);
  });

  test('error: a wallet with a wrong checksum', async () => {
    const mistyped = `0x${USER.slice(2).replace(/[a-f]/i, (letter) => (letter === 'a' ? 'b' : 'a'))}`;
    const answer = await ask(`/api/v1/history/user/base/${VAULT}/${mistyped}`);
    expect(answer).toMatchObject({ status: 410, successor: null });
    expect(answer.detail).toContain('has an invalid checksum');
  });

  test('error: a null character', async () => {
    expect((await ask(`/api/v1/vault/base/%00`)).status).toBe(400);
  });
});
