import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Hex } from '../../domain/hex.ts';
import { lacksInstant } from '../../domain/series/lacksInstant.ts';
import { END_OF_TIME, toIso } from '../../domain/time.ts';
import { type KnownBlock, tickBlocks } from '../../store/blocks/tickBlocks.ts';
import { chains } from '../../store/chains/chains.ts';
import { gaps } from '../../store/gaps/gaps.ts';
import type { Queryable } from '../../store/store.ts';
import { moments } from '../../store/ticks/moments.ts';
import { BadParameters } from '../problem.ts';
import { NoDataThen, UnknownBlock } from './asOfErrors.ts';
import type { AskedMoment } from './asOfParameters.ts';

/**
 * Returns the time up to which data points count. For a block, it is the first instant at which states were read at that
 * block, or at the newest block below it at which any were. `families` are those that the request is for: an error names
 * the nearest of their data points.
 */
export async function timeOf(
  db: Queryable,
  config: Config,
  asked: AskedMoment,
  families: readonly Pick<FamilyConfig, 'slug'>[],
): Promise<number> {
  if ('time' in asked) return asked.time;
  const { chainId } = asked;
  if (!config.chains.some((chain) => chain.chainId === chainId)) {
    throw badBlock(`names chain ${chainId}, which is not configured: /v1/status lists the chains`);
  }
  const number =
    typeof asked.block === 'number' ? asked.block : await numberOf(db, chainId, asked.block);
  const [indexed, known, next] = await Promise.all([
    chains.getAll(db).then((all) => all.find((row) => row.chainId === chainId)?.indexedBlock),
    tickBlocks.findUpTo(db, chainId, number),
    tickBlocks.findAbove(db, chainId, number),
  ]);
  if (indexed == null || number > indexed) {
    const newest = indexed == null ? '' : `; the newest is ${indexed}`;
    throw badBlock(`is not indexed yet${newest}`);
  }
  const where = `block ${number} of chain ${chainId}`;
  if (known === undefined) {
    const first = next === undefined ? '' : `, block ${next.number} (${toIso(next.at)})`;
    const text = `${where} is before the first data point of that chain${first}`;
    throw new NoDataThen(
      text,
      next === undefined ? null : await findNearest(db, families, next.at),
    );
  }
  if (known.number < number && (await isInGap(db, config, asked.chainId, known, next))) {
    const text = `${where} is in a gap: the last data point before it is at block ${known.number} (${toIso(known.at)})`;
    const about = next === undefined ? known.at : timeBetween(known, next, number);
    throw new NoDataThen(text, await findNearest(db, families, about));
  }
  return known.at;
}

/** About when a block between two others was the newest: blocks are taken as evenly spaced. */
function timeBetween(before: KnownBlock, after: KnownBlock, number: number): number {
  const part = (number - before.number) / (after.number - before.number);
  return Math.round(before.at + (after.at - before.at) * part);
}

/** The data point of these families that is nearest to a time: as of it, they are served. */
async function findNearest(
  db: Queryable,
  families: readonly Pick<FamilyConfig, 'slug'>[],
  time: number,
): Promise<number | null> {
  const asked = families.map(({ slug }) => ({ slug, feed: '' }));
  const rows = await moments.getFamilies(db, asked, time);
  const [nearest] = rows
    .flatMap(({ at, next }) => [at ?? [], next ?? []].flat())
    .sort((a, b) => Math.abs(a - time) - Math.abs(b - time) || a - b);
  return nearest ?? null;
}

/** Whether a data point is missing between two blocks at which states were read, next to each other. */
async function isInGap(
  db: Queryable,
  { ticks }: Config,
  chainId: number,
  known: KnownBlock,
  next: KnownBlock | undefined,
): Promise<boolean> {
  const end = (next?.at ?? END_OF_TIME) - 1;
  const all = await gaps.getOfChain(db, chainId);
  return all.some(
    ({ reason, fromTime, toTime }) =>
      reason === 'state' &&
      lacksInstant({ fromTime, toTime: Math.min(toTime, end) }, known.at, ticks.liveSeconds),
  );
}

async function numberOf(db: Queryable, chainId: number, hash: Hex): Promise<number> {
  const number = await tickBlocks.findByHash(db, chainId, hash);
  if (number !== undefined) return number;
  throw new UnknownBlock(
    `chain ${chainId} has no stored block ${hash}: it was removed by a reorg, or its hash is not stored; pass its number or a time instead`,
  );
}

function badBlock(reason: string): BadParameters {
  return new BadParameters([{ parameter: 'block', reason }]);
}
