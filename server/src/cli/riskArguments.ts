import { LABELS, type Label } from '../domain/risk/graph.ts';
import { RISK_LIST_NAMES, type RiskListName } from '../domain/risk/riskLists.ts';
import { type FlagValues, readWholeNumber } from './flags.ts';
import { UsageError } from './usageError.ts';

export interface RiskImportArguments {
  readonly command: 'risk import';
  /** A folder of lists; null: none. */
  readonly from: string | null;
  /** Lists one by one. */
  readonly sources: readonly { readonly name: RiskListName; readonly location: string }[];
  readonly curated: string | null;
  readonly force: boolean;
}

export interface RiskGradeArguments {
  readonly command: 'risk grade';
}

export interface RiskShowArguments {
  readonly command: 'risk show';
  readonly id: string;
}

export interface RiskDiffArguments {
  readonly command: 'risk diff';
  /** Null: of every kind. */
  readonly label: Label | null;
  /** How many nodes are listed. */
  readonly limit: number;
}

const DEFAULT_LIMIT = 20;
const MOST_LISTED = 100_000;

export function readRiskDiff(flags: FlagValues): RiskDiffArguments {
  const given = flags.get('label');
  const label = LABELS.find((each) => each.toLowerCase() === given?.toLowerCase());
  if (given !== undefined && label === undefined) {
    throw new UsageError(`--label is one of ${LABELS.join(', ')}`);
  }
  return {
    command: 'risk diff',
    label: label ?? null,
    limit: readWholeNumber(flags, 'limit', { from: 0, to: MOST_LISTED }) ?? DEFAULT_LIMIT,
  };
}

export function readRiskImport(flags: FlagValues): RiskImportArguments {
  const given = flags.get('source')?.split('\n') ?? [];
  return {
    command: 'risk import',
    from: flags.get('from') ?? null,
    sources: given.map(readSource),
    curated: flags.get('curated') ?? null,
    force: flags.has('force'),
  };
}

export function readRiskShow(id: string | undefined): RiskShowArguments {
  if (id === undefined) {
    throw new UsageError('say which node to show, for example: assay risk show protocol:aave-v3');
  }
  return { command: 'risk show', id };
}

function readSource(text: string): RiskImportArguments['sources'][number] {
  const at = text.indexOf('=');
  const name = RISK_LIST_NAMES.find((list) => list === text.slice(0, Math.max(0, at)));
  const location = text.slice(at + 1);
  if (name === undefined || location === '') {
    throw new UsageError(
      `--source needs a list and where it is, NAME=FILE or NAME=URL; NAME is one of ${RISK_LIST_NAMES.join(', ')}`,
    );
  }
  return { name, location };
}
