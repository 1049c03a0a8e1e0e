import type { Address } from '../../src/domain/hex.ts';
import type { Contract, LocalChain } from './chain.ts';
import { behind, npmCompiled } from './contracts.ts';
import { packageArtifact } from './packageCode.ts';
import { account, OWNER } from './plainScenario.ts';

const WAD = 10n ** 18n;
const PERCENT = WAD / 100n;
const ZERO: Address = '0x0000000000000000000000000000000000000000';
/** Exactly's placeholder for a price of one. */
const BASE_FEED: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const ADMIN = account(0xad31n);
export const TREASURY = account(0x7ea5n);
/** Share of the collateral's value that counts. */
export const ADJUST_FACTOR = 90n * PERCENT;

/** Parameters of Exactly's USDC market. */
const RATES = {
  minRate: 5n * PERCENT,
  naturalRate: 11n * PERCENT,
  maxUtilization: 130n * PERCENT,
  naturalUtilization: 88n * PERCENT,
  growthSpeed: 130n * PERCENT,
  sigmoidSpeed: 250n * PERCENT,
  spreadFactor: 30n * PERCENT,
  maturitySpeed: 50n * PERCENT,
  timePreference: 20n * PERCENT,
  fixedAllocation: 60n * PERCENT,
  maxRate: 1_825n * PERCENT,
};

export interface ExactlyMarket {
  readonly asset: Contract;
  readonly auditor: Contract;
  readonly market: Contract;
  readonly startBlock: number;
}

/**
 * Deploys Exactly's own bytecode: the auditor and one market behind their proxies, and the market's interest rate
 * model.
 */
export async function deployExactly(chain: LocalChain): Promise<ExactlyMarket> {
  const asset = await chain.deploy(OWNER, await npmCompiled('Token'), ['USDC', 6]);
  const deploy = async (name: string, args: readonly unknown[]) =>
    chain.deploy(OWNER, await artifact(name), args);
  const auditorLogic = await deploy('Auditor_Implementation', [8n]);
  const incentive = { liquidator: 5n * PERCENT, lenders: PERCENT / 4n };
  const auditor = await behind(chain, OWNER, await artifact('Auditor_Proxy'), auditorLogic, {
    proxy: [ADMIN],
    initialize: [incentive],
  });
  const logic = await deploy('MarketUSDC_Implementation', [asset.address, auditor.address]);
  const [penalty, backupFee, reserve] = [52_083_333_333n, 10n * PERCENT, 5n * PERCENT];
  const damp = [46n * 10n ** 14n, 40n * PERCENT];
  const market = await behind(chain, OWNER, await artifact('MarketUSDC_Proxy'), logic, {
    proxy: [ADMIN],
    initialize: ['USDC', 7, 2n * WAD, ZERO, penalty, backupFee, reserve, ...damp],
  });
  const startBlock = chain.tip.number;
  const rates = await deploy('InterestRateModelUSDC', [RATES, market.address]);
  await chain.send(OWNER, market, 'setInterestRateModel', [rates.address]);
  await chain.send(OWNER, market, 'setTreasury', [TREASURY, 20n * PERCENT]);
  await chain.send(OWNER, auditor, 'enableMarket', [market.address, BASE_FEED, ADJUST_FACTOR]);
  return { asset, auditor, market, startBlock };
}

function artifact(name: string) {
  return packageArtifact('@exactly/protocol@0.2.24', `deployments/optimism/${name}.json`);
}
