import { resolve } from 'node:path';
import { OPERATOR_ERRORS } from '../assembly/operatorErrors.ts';
import { describeFailure } from '../cli/failure.ts';
import type { FlagValues } from '../cli/flags.ts';
import { createImportBar } from '../cli/importProgress.ts';
import { startProgressLines } from '../cli/progressLines.ts';
import { UsageError } from '../cli/usageError.ts';
import type { RiskConfig } from '../config/config.ts';
import type { RiskSource } from '../domain/risk/record.ts';
import {
  listNames,
  listSource,
  RISK_LIST_NAMES,
  type RiskListName,
} from '../domain/risk/riskLists.ts';
import type { ImportOutcome, ImportProgress } from '../risk/import/applyImport.ts';
import { becauseText } from '../risk/import/gradeChanges.ts';
import { importSources } from '../risk/import/importSources.ts';
import { openSource, type SourceDocument } from '../risk/import/openSource.ts';
import { type FoundSource, openList, openSourceFolder } from '../risk/import/openSourceFolder.ts';
import { printReport } from '../risk/import/report.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { CONFIG, defineCommand, type Terminal } from './command.ts';
import { printable, printTotals } from './riskTotals.ts';
import { runOnStore, type StoreCommand, type StoreContext } from './storeCommand.ts';

/** Maximum number of grade changes to print per source. */
const MAX_SHOWN = 20;

export interface ImportArguments {
  /** A folder of lists; null: none. */
  readonly from: string | null;
  /** Individual lists. */
  readonly sources: readonly { readonly name: RiskListName; readonly location: string }[];
  readonly curated: string | null;
  readonly force: boolean;
}

/** `describe` converts a failure to text for the operator. */
export function createRiskImport(deps: {
  readonly describe: (error: unknown) => string;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Sends progress among the printed lines, for a command line that shows it. */
  readonly startProgress?: (print: (line: string) => void) => (progress: ImportProgress) => void;
}): StoreCommand<ImportArguments> {
  return {
    name: 'risk import',
    async runOn(context, args, print) {
      const { store, signal } = context;
      const { sources, leftOut } = await openAll(context, args);
      for (const { name, reason } of leftOut) print(`${name}: skipped, ${reason}`);
      const onProgress = deps.onProgress ?? deps.startProgress?.(print);
      try {
        const { results, report } = await importSources({
          store,
          sources,
          now: unixTime(),
          force: args.force,
          ...(signal && { signal }),
          ...(onProgress && { onProgress }),
        });
        for (const line of printReport(report)) print(line);
        for (const { source, outcome, error } of results) {
          if (outcome === undefined) print(`${source}: ${deps.describe(error)}`);
          else printOutcome(outcome, print);
        }
        await printTotals(store, print);
        // A damaged list is a failure, although its readable entries were imported.
        return results.every(({ outcome }) => outcome?.broken === 0) ? 0 : 1;
      } finally {
        for (const { documents } of sources) for (const one of documents) await one.close();
      }
    },
  };
}

const describe = (error: unknown) => describeFailure(error, OPERATOR_ERRORS).text;

/** Runs in the server that has the store, for a command line that shows the progress. */
export const riskImportBeside = createRiskImport({ describe, startProgress: startProgressLines });

export const command = defineCommand<ImportArguments>({
  usage:
    'assay risk import [--from FOLDER] [--source NAME=FILE|URL ...] [--curated FILE] [--force]',
  details: [
    `NAME is ${listNames('or')}, in DefiLlama's format. Without`,
    '--from, --source, and --curated, the sources under risk in the configuration are imported. Each source replaces',
    'its earlier facts in one transaction; a failure changes nothing. Works while the server runs.',
  ].join(' '),
  flags: {
    config: CONFIG,
    from: {
      value: 'FOLDER',
      text: 'All lists and YAML files of a folder, recognized by content',
    },
    source: { value: 'NAME=FILE|URL', text: 'One list; repeatable', repeated: true },
    curated: { value: 'FILE', text: 'YAML file of facts that override all others' },
    force: {
      text: 'Import even if a source lost more than half of its facts; removes facts that a damaged list lacks',
    },
  },
  read,
  run,
});

function read(flags: FlagValues): ImportArguments {
  const given = flags.get('source')?.split('\n') ?? [];
  return {
    from: flags.get('from') ?? null,
    sources: given.map(readSource),
    curated: flags.get('curated') ?? null,
    force: flags.has('force'),
  };
}

function readSource(text: string): ImportArguments['sources'][number] {
  const at = text.indexOf('=');
  const name = RISK_LIST_NAMES.find((list) => list === text.slice(0, Math.max(0, at)));
  const location = text.slice(at + 1);
  if (name === undefined || location === '') {
    throw new UsageError(
      `--source must be NAME=FILE or NAME=URL; NAME is one of ${RISK_LIST_NAMES.join(', ')}`,
    );
  }
  return { name, location };
}

/** Makes paths absolute: the server that runs the command may have another working directory. */
async function run(given: ImportArguments, terminal: Terminal): Promise<number> {
  const bar = createImportBar({ stream: terminal.errors, now: () => performance.now() });
  const absolute = (path: string) => (/^[a-z][a-z0-9+.-]+:\/\//i.test(path) ? path : resolve(path));
  const { from, sources, curated, force } = given;
  const args = {
    from: from && absolute(from),
    sources: sources.map(({ name, location }) => ({ name, location: absolute(location) })),
    curated: curated && absolute(curated),
    force,
  };
  const own = createRiskImport({ describe, onProgress: bar.update });
  return runOnStore(own, args, terminal).finally(bar.clear);
}

async function openAll({ config, signal }: StoreContext, args: ImportArguments) {
  const asked = args.from === null && args.sources.length === 0 && args.curated === null;
  const { from, sources: lists, curated } = asked ? configured(config.risk) : args;
  if (from === null && lists.length === 0 && curated === null) {
    throw new UsageError(
      `nothing to import: use --from, --source, or --curated, or add sources under risk in ${config.file}`,
    );
  }
  const found = new Map<RiskSource, readonly SourceDocument[]>();
  const folder = from === null ? undefined : await openSourceFolder(from);
  for (const { source, documents } of folder?.sources ?? []) found.set(source, documents);
  const options = signal === undefined ? {} : { signal };
  try {
    for (const { name, location } of lists) {
      const source = listSource(name);
      found.set(source, [await openList(source, location, options)]);
    }
    if (curated !== null) found.set('curated', [await openSource(curated, options)]);
  } catch (error) {
    for (const documents of found.values()) for (const one of documents) await one.close();
    throw error;
  }
  const sources = [...found].map(([source, documents]): FoundSource => ({ source, documents }));
  return { sources, leftOut: folder?.leftOut ?? [] };
}

function configured({ sources, curated }: RiskConfig): Omit<ImportArguments, 'force'> {
  const lists = RISK_LIST_NAMES.flatMap((name) => {
    const location = sources[name];
    return location === undefined ? [] : [{ name, location }];
  });
  return { from: null, sources: lists, curated: curated ?? null };
}

function printOutcome(outcome: ImportOutcome, print: (line: string) => void): void {
  const { source, added, changed, removed, regraded, broken, kept, leftOut } = outcome;
  print(
    `${source}: ${added} nodes added, ${changed} changed, ${removed} removed; ${regraded} regraded`,
  );
  const changes = outcome.gradeChanges;
  if (changes.length > 0) print(`  ${changes.length} grades changed`);
  for (const change of changes.slice(0, MAX_SHOWN)) {
    print(printable(`  ${change.id} ${change.from} → ${change.to}: ${becauseText(change)}`));
  }
  if (broken > 0) {
    const lacking =
      kept > 0
        ? `${kept} nodes that may have been in it are unchanged; get the complete list, or add --force to remove them`
        : 'get the complete list';
    print(`  the list is damaged, ${broken} entries could not be read: ${lacking}`);
  }
  for (const { kind, count, examples } of leftOut) {
    const shown = examples.slice(0, 3).join(', ');
    print(printable(`  skipped ${count}: ${WORDS[kind]}: ${shown}${count > 3 ? ', …' : ''}`));
  }
}

const WORDS: Readonly<Record<ImportOutcome['leftOut'][number]['kind'], string>> = {
  'other-label': 'a source with higher priority gives the node another label',
  'edge-to-itself': 'an edge from a node to itself',
  'edge-of-wrong-ends': 'an edge between labels that it cannot connect',
  'edge-of-wrong-weight': 'an edge with a weight that is not above 0 and at most 1',
  'edge-to-nowhere': 'an edge to a node that no source describes; it counts once one does',
  'two-records': 'a second record of a node; it only added missing facts',
  'id-too-long': 'an id longer than 200 characters',
};
