import type { Address } from '../../src/domain/hex.ts';
import type { Contract, LocalChain } from './chain.ts';
import { linkLibrary, packageArtifact } from './packageCode.ts';
import type { PackagePlan } from './packageScenario.ts';
import { OWNER } from './plainScenario.ts';

const WAD = 10n ** 18n;
const ZERO: Address = '0x0000000000000000000000000000000000000000';
const NO_HASH = `0x${'0'.repeat(64)}`;
const YEAR = 365n * 86_400n;

/**
 * The ERC-4626 vault that Hyperdrive comes with. Its total grows by the second, and each deposit or withdrawal first mints
 * the interest to the vault in the base asset, so one transaction moves the asset twice.
 */
export const HYPERDRIVE: PackagePlan = {
  slug: 'hyperdrive',
  chainId: 31_630,
  decimals: 18,
  async deploy(chain) {
    const { asset, vault, startBlock } = await deployYieldSource(chain);
    return {
      vault,
      asset,
      startBlock,
      async turn({ random }) {
        const rate = (BigInt(random.int(2_000)) * WAD) / 10_000n;
        return [await chain.send(OWNER, vault, 'setRate', [rate])];
      },
    };
  },
};

/** Deploys Hyperdrive itself over that vault: bytecode with its five targets. */
export async function deployHyperdrive(chain: LocalChain): Promise<Contract> {
  const { asset, vault } = await deployYieldSource(chain);
  const library = await chain.deploy(OWNER, await artifact('LPMath'));
  const config = {
    ...{ baseToken: asset.address, vaultSharesToken: vault.address },
    ...{ linkerFactory: OWNER, linkerCodeHash: NO_HASH, initialVaultSharePrice: WAD },
    ...{ minimumShareReserves: WAD, minimumTransactionAmount: WAD / 1000n },
    ...{ circuitBreakerDelta: 2n * WAD, positionDuration: YEAR, checkpointDuration: 86_400n },
    ...{ timeStretch: WAD / 20n, governance: OWNER, feeCollector: OWNER, sweepCollector: OWNER },
    ...{ checkpointRewarder: ZERO },
    fees: { curve: 0n, flat: 0n, governanceLP: 0n, governanceZombie: 0n },
  };
  const targets: Address[] = [];
  for (let i = 0; i < 5; i++) {
    const code = linkLibrary(await artifact(`ERC4626Target${i}`), library.address);
    targets.push((await chain.deploy(OWNER, code, [config, OWNER])).address);
  }
  const code = linkLibrary(await artifact('ERC4626Hyperdrive'), library.address);
  return chain.deploy(OWNER, code, ['Hyperdrive', config, OWNER, ...targets]);
}

async function deployYieldSource(chain: LocalChain) {
  const free = [OWNER, false, 2n ** 255n];
  const token = await artifact('ERC20Mintable');
  const asset = await chain.deploy(OWNER, token, ['DAI', 'DAI', 18, ...free]);
  const args = [asset.address, 'Savings DAI', 'sDAI', WAD / 20n, ...free];
  const vault = await chain.deploy(OWNER, await artifact('MockERC4626'), args);
  return { asset, vault, startBlock: chain.tip.number };
}

function artifact(name: string) {
  return packageArtifact('@delvtech/hyperdrive-artifacts@1.0.21', `dist/${name}.js`);
}
