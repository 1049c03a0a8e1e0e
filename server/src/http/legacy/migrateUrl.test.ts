import { describe, expect, test } from 'vitest';
import type { Config } from '../../config/config.ts';
import { migrateUrl } from './migrateUrl.ts';

const VAULT = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const USER = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

const config = {
  http: {},
  chains: [
    { chainId: 8453, name: 'base' },
    { chainId: 1, name: 'ethereum' },
  ],
  families: [
    {
      slug: 'svcusd',
      chains: [{ chainId: 8453, address: VAULT.toLowerCase(), vaults: [] }],
    },
  ],
} as unknown as Config;

describe('migrateUrl', () => {
  test.each([
    [`/api/v1/vault/base/${VAULT}`, '/v1/vaults/svcusd'],
    [`https://old.example/api/v1/vault/8453/${VAULT.toLowerCase()}/`, '/v1/vaults/svcusd'],
    [`/api/v1/vault/yield/timeseries/base/${VAULT}`, '/v1/vaults/svcusd/timeseries/apy'],
    [`/api/v1/vault/tvl/timeseries/Base/${VAULT}?x=1#y`, '/v1/vaults/svcusd/timeseries/tvl'],
    [
      `https://old.example/behind/api/v1/history/user/base/${VAULT}/${USER}?limit=50`,
      `/v1/history?family=svcusd&user=${USER}&chainId=8453&limit=50`,
    ],
    [
      `/api/v1/history/user/base/${VAULT}/${USER}?limit=9000`,
      `/v1/history?family=svcusd&user=${USER}&chainId=8453&limit=500`,
    ],
    [
      `/api/v1/history/user/base/${VAULT}/${USER}?limit=ten`,
      `/v1/history?family=svcusd&user=${USER}&chainId=8453`,
    ],
    [
      `/api/v1/vault/pending-redeems/base/${VAULT}/${USER}`,
      `/v1/users/${USER}/pending-redeems?family=svcusd`,
    ],
    [`/api/v1/performance/user/base/${VAULT}/${USER}`, `/v1/performance/${USER}?family=svcusd`],
  ])('default: %s', (old, url) => {
    expect(migrateUrl(config, old)).toEqual({ url, notes: [] });
  });

  test('behavior: an absolute URL if the public URL is known', () => {
    const http = { ...config.http, publicUrl: 'https://api.example.com' };
    expect(migrateUrl({ ...config, http }, `/api/v1/vault/base/${VAULT}`)?.url).toBe(
      'https://api.example.com/v1/vaults/svcusd',
    );
  });

  test('behavior: the vault-wide route is replaced by that of a wallet, which it does not name', () => {
    const found = migrateUrl(config, `/api/v1/vault/pending-redeems/base/${VAULT}`);
    expect(found?.url).toBeNull();
    expect(found?.notes).toEqual([
      'This route has no equivalent: the wallet route replaces it, GET /v1/users/{walletAddress}/pending-redeems?family=svcusd. The sum over all wallets is stats.pendingRedemptionAssets of GET /v1/vaults/svcusd.',
    ]);
  });

  test('error: names the unknown vault or chain', () => {
    const unknown = migrateUrl(config, `/api/v1/vault/base/${USER}`);
    expect(unknown).toMatchObject({ url: null });
    expect(unknown?.notes.join()).toContain(`The vault "${USER}" is unknown here`);
    expect(migrateUrl(config, `/api/v1/vault/ethereum/${VAULT}`)?.notes).toEqual([
      'The family svcusd is not on ethereum.',
    ]);
    expect(migrateUrl(config, `/api/v1/performance/user/base/${VAULT}/0x12`)?.url).toBeNull();
  });

  test.each([
    'https://old.example/',
    '/v1/vaults/svcusd',
    `/api/v1/vaults/base/${VAULT}`,
    `/api/v1/users/wallet/${USER}/points`,
    `/api/v1/vault/base/%E0%A4%A`,
    '/api/v1/agent/schema',
    '',
  ])('error: %j is not a URL of the legacy API', (text) => {
    expect(migrateUrl(config, text)).toBeUndefined();
  });
});
