import { type Abi, encodeAbiParameters, parseAbiParameters } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Address, lower } from '../../src/domain/hex.ts';
import { draftConfig } from '../../src/init/init.ts';
import { InitRefused } from '../../src/init/initRefused.ts';
import { type Contract, createLocalChain, type LocalChain } from './chain.ts';
import { npmCompiled } from './contracts.ts';
import { deployHyperdrive } from './hyperdrive.ts';
import { linkLibrary, packageArtifact, packageCompiled, usePackages } from './packageCode.ts';
import { account, OWNER } from './plainScenario.ts';

const ZERO: Address = '0x0000000000000000000000000000000000000000';
const HOLDER = account(0x1n);
const RAY = 10n ** 27n;
const UNIT = 10n ** 6n;
const BASE_PARAMETERS =
  'address collateral, address burner, uint48 epochDuration, bool depositWhitelist, bool isDepositLimit, uint256 depositLimit, address admin, address whitelistSetter, address whitelister, address limitSwitch, address limitSetter';

/** Deploys a vault of Symbiotic's core with a deposit. Its shares are a token only if it is tokenized. */
async function deploySymbiotic(chain: LocalChain, tokenized: boolean): Promise<Address> {
  const asset = await chain.deploy(OWNER, await npmCompiled('Token'), ['wstETH', 18]);
  const factory = await chain.deploy(OWNER, await packageCompiled('symbiotic', 'VaultFactory'), [
    OWNER,
  ]);
  const code = await packageCompiled('symbiotic', tokenized ? 'VaultTokenized' : 'Vault');
  const logic = await chain.deploy(OWNER, code, [OWNER, OWNER, factory.address]);
  await chain.send(OWNER, factory, 'whitelist', [logic.address]);
  const roles = { admin: OWNER, whitelistSetter: OWNER, whitelister: OWNER };
  const limits = { limitSwitch: OWNER, limitSetter: OWNER };
  const base = {
    ...{ collateral: asset.address, burner: OWNER, epochDuration: 86_400 },
    ...{ depositWhitelist: false, isDepositLimit: false, depositLimit: 0n, ...roles, ...limits },
  };
  const data = tokenized
    ? encodeAbiParameters(
        parseAbiParameters(`((${BASE_PARAMETERS}) base, string name, string symbol) params`),
        [{ base, name: 'Restaked', symbol: 'rstETH' }],
      )
    : encodeAbiParameters(parseAbiParameters(`(${BASE_PARAMETERS}) params`), [base]);
  await chain.send(OWNER, factory, 'create', [1n, OWNER, data]);
  const address = await chain.read<Address>(factory, 'entity', [0n]);
  const vault: Contract = { address: lower(address), abi: logic.abi as Abi };
  await chain.send(HOLDER, asset, 'mint', [HOLDER, UNIT]);
  await chain.send(HOLDER, asset, 'approve', [vault.address, UNIT]);
  await chain.send(HOLDER, vault, 'deposit', [HOLDER, UNIT]);
  return vault.address;
}

/**
 * Deploys Aave's interest-bearing token without the pool's libraries: the token only reads the provider from the pool.
 */
async function deployAaveToken(chain: LocalChain): Promise<Address> {
  const code = (path: string) =>
    packageArtifact('@aave/core-v3@1.19.3', `artifacts/contracts/protocol/${path}.json`);
  const asset = await chain.deploy(OWNER, await npmCompiled('Token'), ['USDC', 6]);
  const provider = await chain.deploy(
    OWNER,
    await code('configuration/PoolAddressesProvider.sol/PoolAddressesProvider'),
    ['Aave', OWNER],
  );
  const poolCode = linkLibrary(await code('pool/Pool.sol/Pool'), ZERO);
  const pool = await chain.deploy(OWNER, poolCode, [provider.address]);
  const token = await chain.deploy(OWNER, await code('tokenization/AToken.sol/AToken'), [
    pool.address,
  ]);
  const names = ['Aave USDC', 'aUSDC', '0x'];
  const args = [pool.address, OWNER, asset.address, ZERO, 6, ...names];
  await chain.send(OWNER, token, 'initialize', args);
  await chain.send(pool.address, token, 'mint', [HOLDER, HOLDER, UNIT, RAY]);
  return token.address;
}

/** Deploys the principal token of a Pendle position. */
async function deployPendleToken(chain: LocalChain): Promise<Address> {
  const path = 'core/YieldContracts/PendlePrincipalToken.sol/PendlePrincipalToken.json';
  const code = await packageArtifact('@pendle/core-v2@6.11.0', `build/artifacts/contracts/${path}`);
  const expiry = BigInt(chain.tip.time + 86_400);
  const token = await chain.deploy(OWNER, code, [OWNER, 'PT sUSDe', 'PT-sUSDe', 18, expiry]);
  return token.address;
}

describe('init on contracts that are not ERC-4626 vaults', () => {
  usePackages('symbiotic', '@aave/core-v3@1.19.3', '@pendle/core-v2@6.11.0');
  usePackages('@delvtech/hyperdrive-artifacts@1.0.21');
  let chain: LocalChain;
  beforeAll(async () => {
    chain = await createLocalChain({ chainId: 31_640, startTime: Math.floor(Date.now() / 1000) });
  });
  afterAll(() => chain.close());

  const NO_TOKEN = /is a contract, but neither a vault nor a token/;
  const noVault = (symbol: string) =>
    new RegExp(`is the token ${symbol} without asset\\(\\) and totalAssets\\(\\): no vault`);

  test.each([
    ['a vault of Symbiotic', () => deploySymbiotic(chain, false), NO_TOKEN],
    ['a tokenized vault of Symbiotic', () => deploySymbiotic(chain, true), noVault('rstETH')],
    ["Aave's interest-bearing token", () => deployAaveToken(chain), noVault('aUSDC')],
    ["Pendle's principal token", () => deployPendleToken(chain), noVault('PT-sUSDe')],
    [
      'Hyperdrive, whose tokens have numbers',
      async () => (await deployHyperdrive(chain)).address,
      NO_TOKEN,
    ],
  ] as const)('error: %s', async (_, deploy, reason) => {
    const address = await deploy();
    const drafted = draftConfig(
      {
        chains: [{ chainId: null, url: chain.url }],
        vaults: [{ chain: null, address }],
        feeds: [],
      },
      { file: 'assay.yaml', schema: 'schema.json' },
    );
    await expect(drafted).rejects.toThrow(InitRefused);
    await expect(drafted).rejects.toThrow(reason);
  });
});
