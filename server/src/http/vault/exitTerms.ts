import { Type } from 'typebox';
import type { Config, FamilyConfig } from '../../config/config.ts';
import { ratio, unit } from '../../domain/amount.ts';
import { DAY, toIso } from '../../domain/time.ts';
import { type ExitTerms, feeOf, outcomeOf } from '../../domain/vault/exitTerms.ts';
import { type Waits, waitPercentile } from '../../domain/vault/waits.ts';
import { getHolders } from '../../store/positions/holders.ts';
import type { Store } from '../../store/store.ts';
import { getVaultsOf, type NamedVault } from '../../store/vaults/read.ts';
import { KINDS } from '../../vaults/index.ts';
import { runRounds } from '../../vaults/rounds.ts';
import { checksummed } from '../checksum.ts';
import { type ParameterReader, readParameters } from '../parameters.ts';
import { NotFound, noSuch } from '../problem.ts';
import type { Route } from '../route.ts';
import { optional, SLUG } from '../routeParameters.ts';
import { measureExits, sharesOf, WINDOW_DAYS } from './exits.ts';
import {
  type ChainExitTerms,
  type ExitTermsAnswer,
  exitTermsExample,
  exitTermsSchema,
} from './exitTermsSchema.ts';
import { type IndexedLiquidity, loadLiquidity } from './indexedLiquidity.ts';
import type { LiveChains } from './liveChains.ts';

export interface ExitTermsDeps {
  readonly config: Config;
  readonly store: Store;
  readonly chains: LiveChains;
}

/** Enough to find one that the vault limits. */
const HOLDERS = 5;
/** Digits of the largest uint256. */
const MAX_DIGITS = 77;

/** GET /v1/vaults/{slug}/exit */
export function exitTermsRoute(deps: ExitTermsDeps): Route {
  const families = new Map(deps.config.families.map((family) => [family.slug, family]));
  return {
    path: '/v1/vaults/{slug}/exit',
    access: 'open',
    operationId: 'getExitTerms',
    summary: 'Get redemption terms',
    description: `Returns, per chain, whether a redemption of an amount would now be paid at once or queued, what can be withdrawn at once, the queue ahead, measured wait times, declared periods, the exit fee, the deposit limit, and whether the vault is paused. Limits, fees, periods, and pauses are read live at each chain's latest block (with a deadline of a few seconds); the queue, waits, and liquidity are indexed. Chains that could not be read are listed in incompleteChains. Unknown values are null. A vault with a queue per receiver (receiver-queue) queues a request in full unless it can pay all of it, so request \`instantAssets\` on their own. None of this is guaranteed: another redemption can come first.`,
    tag: 'vaults',
    parameters: [
      SLUG,
      optional(
        'assets',
        Type.String({ pattern: '^[1-9][0-9]*$' }),
        'The amount to redeem, before any exit fee, in base units of the base asset. Without it, `outcome` is null.',
        '2500000000',
      ),
    ],
    response: exitTermsSchema,
    responseExample: exitTermsExample,
    problems: [400, 404, 429],
    maxAge: 5,
    families: ({ path }) => [path.slug!],
    async answer(request) {
      const assets = readParameters(readAssets, request);
      const family = families.get(request.path.slug!);
      if (family === undefined) throw new NotFound(noSuch('vault family'));
      return getExitTerms(deps, family, assets, request.now);
    },
  };
}

function readAssets(parameters: ParameterReader): bigint | null {
  const text = parameters.text('assets');
  if (text === undefined) return null;
  if (/^[1-9]\d*$/.test(text) && text.length <= MAX_DIGITS) return BigInt(text);
  parameters.mistake(
    'assets',
    'must be an integer above 0 in base units, in decimal digits: 2500000000 is 2,500 of an asset with 6 decimals',
  );
  return null;
}

async function getExitTerms(
  deps: ExitTermsDeps,
  family: FamilyConfig,
  assets: bigint | null,
  now: number,
): Promise<ExitTermsAnswer> {
  const db = deps.store.reads;
  const [vaults, { largest }, liquidity] = await Promise.all([
    getVaultsOf(db, [family.slug]),
    getHolders(db, family.slug, HOLDERS),
    loadLiquidity(db, deps.config, family),
  ]);
  const holders = largest.map(({ wallet }) => wallet);
  const read = await Promise.all(
    family.chains.map(async (chain) => {
      const { chainId } = chain;
      const vault = vaults.find((one) => one.chainId === chainId);
      if (vault === undefined) return { chainId, entry: undefined };
      const { asset, share, shareDecimals } = vault;
      const asked = { chain, asset, share, unit: unit(shareDecimals), assets, holders };
      const [live, waits] = await Promise.all([
        deps.chains.read(chainId, async (client, block) => {
          const terms = KINDS[family.adapter].exitTerms(asked);
          return { block, terms: (await runRounds(client, block, [terms]))[0]! };
        }),
        measureExits(db, family, [chainId], { from: now - WINDOW_DAYS * DAY, to: now }),
      ]);
      const facts = { vault, waits, indexed: liquidity.get(chainId) };
      return { chainId, entry: live && present(live, facts, assets) };
    }),
  );
  return {
    family: family.slug,
    assets: textOf(assets),
    chains: read.flatMap(({ entry }) => entry ?? []),
    incompleteChains: read
      .filter(({ entry }) => entry === undefined)
      .map(({ chainId }) => chainId)
      .sort((a, b) => a - b),
  };
}

interface Facts {
  readonly vault: NamedVault;
  readonly waits: Waits;
  readonly indexed: IndexedLiquidity | undefined;
}

function present(
  { block, terms }: { readonly block: number; readonly terms: ExitTerms },
  { vault, waits, indexed }: Facts,
  assets: bigint | null,
): ChainExitTerms {
  const { waiting, requests, paid } = waits;
  // Some vaults name no queue, and have one outside.
  const hasQueue = terms.hasQueue ?? (waiting.length > 0 || requests > 0 ? true : null);
  const found = assets === null ? null : outcomeOf({ ...terms, hasQueue }, assets);
  const { fee, withdrawable, deposits } = terms;
  const hasNull = waiting.some((one) => one.assets === null);
  return {
    chainId: vault.chainId,
    vault: checksummed(vault.address),
    blockNumber: block,
    baseAsset: vault.asset && checksummed(vault.asset),
    baseAssetDecimals: vault.assetDecimals,
    baseAssetSymbol: vault.assetSymbol,
    shareDecimals: vault.shareDecimals,
    outcome: found?.outcome ?? null,
    instantAssets: textOf(found?.instant),
    queuedAssets: textOf(found?.queued),
    shares: assets === null ? null : textOf(terms.shares),
    withdrawableAssets: textOf(withdrawable.exact),
    withdrawableAtLeast: textOf(withdrawable.atLeast),
    indexedAt: indexed === undefined ? null : toIso(indexed.at),
    idleAssets: textOf(indexed?.idle),
    availableLiquidity: textOf(indexed?.available),
    queue: {
      requests: waiting.length,
      shares: sharesOf(waiting),
      assets: hasNull ? null : `${waiting.reduce((sum, one) => sum + one.assets!, 0n)}`,
      oldest: waiting[0] === undefined ? null : toIso(waiting[0].since),
    },
    measuredWait: {
      days: WINDOW_DAYS,
      requests,
      medianSeconds: waitPercentile(paid, 50),
      p90Seconds: waitPercentile(paid, 90),
    },
    periods: [...terms.periods],
    exitFeePct: fee === null || fee.gross === 0n ? null : ratio(feeOf(fee) * 100n, fee.gross),
    exitFeeAssets: assets === null || fee === null ? null : `${feeOf(fee)}`,
    deposits: deposits && {
      isLimited: deposits.assets !== null,
      maxAssets: textOf(deposits.assets),
    },
    paused: terms.paused,
  };
}

function textOf(amount: bigint | null | undefined): string | null {
  return amount == null ? null : `${amount}`;
}
