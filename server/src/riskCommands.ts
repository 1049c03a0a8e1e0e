import type { RiskImportArguments, RiskShowArguments } from './cli/riskArguments.ts';
import { UsageError } from './cli/usageError.ts';
import type { Command, CommandContext } from './commands.ts';
import type { RiskConfig } from './config/config.ts';
import type { RiskSource } from './domain/risk/record.ts';
import { listSource, RISK_LIST_NAMES } from './domain/risk/riskLists.ts';
import { toIso } from './domain/time.ts';
import type { ImportOutcome, ImportProgress } from './ingest/risk/applyImport.ts';
import { becauseText } from './ingest/risk/gradeChanges.ts';
import { importSources } from './ingest/risk/importSources.ts';
import { openSource, type SourceDocument } from './ingest/risk/openSource.ts';
import { type FoundSource, openList, openSourceFolder } from './ingest/risk/openSourceFolder.ts';
import { regradeAll } from './ingest/risk/regrade.ts';
import { printReport } from './ingest/risk/report.ts';
import { riskGrades } from './store/risk/grades.ts';
import { riskNodes } from './store/risk/nodes.ts';
import { riskRead } from './store/risk/read.ts';
import { riskRecords } from './store/risk/records.ts';
import type { Store } from './store/store.ts';

/** Changes of grades that are printed of one source. */
const MOST_TOLD = 20;

type ImportArguments = Omit<RiskImportArguments, 'command'>;

const now = () => Math.floor(Date.now() / 1000);

/** `describe` says how a failure is told to the operator. */
export function createRiskImport(deps: {
  readonly describe: (error: unknown) => string;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** For a command whose progress is shown elsewhere: sends it among the lines that it prints. */
  readonly startProgress?: (print: (line: string) => void) => (progress: ImportProgress) => void;
}): Command<ImportArguments> {
  return {
    name: 'risk import',
    async run(context, args, print) {
      const { store, signal } = context;
      const { sources, leftOut } = await openAll(context, args);
      for (const { name, reason } of leftOut) print(`${name}: left out, ${reason}`);
      const onProgress = deps.onProgress ?? deps.startProgress?.(print);
      try {
        const { results, report } = await importSources({
          store,
          sources,
          now: now(),
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
        // A damaged list is no success, though what could be read of it was imported.
        return results.every(({ outcome }) => outcome?.broken === 0) ? 0 : 1;
      } finally {
        for (const { documents } of sources) for (const one of documents) await one.close();
      }
    },
  };
}

export const riskGradeCommand: Command<object> = {
  name: 'risk grade',
  async run({ store, signal }, _args, print) {
    const { regraded, changed } = await regradeAll(store, {
      now: now(),
      ...(signal && { signal }),
    });
    print(`graded ${regraded} nodes; ${changed} grades, scores or reasons are other ones now`);
    await printTotals(store, print);
    return 0;
  },
};

export const riskShowCommand: Command<Omit<RiskShowArguments, 'command'>> = {
  name: 'risk show',
  async run({ store }, { id }, print) {
    const found = await riskRead.findNode(store, id);
    if (found === undefined) {
      print(`no node ${JSON.stringify(id)}; ids look like protocol:aave-v3 or asset:base:0x…`);
      return 1;
    }
    const { node, sources, lastUpdatedAt, graded, gradedAt } = found;
    const records = (await riskRecords.getOfIds(store, [node.id])).get(node.id) ?? [];
    print(`${node.id}  ${node.label}  last changed ${toIso(lastUpdatedAt)}`);
    print(
      `grade ${graded.grade}, score ${graded.score}, ${Math.round(graded.coverage * 100)} % of the facts known, ` +
        `method ${graded.methodVersion}, input ${graded.inputHash}, graded ${toIso(gradedAt)}`,
    );
    print('facts:');
    for (const [fact, value] of Object.entries(node.facts).sort()) {
      const source = sources[fact];
      const cited = records.find((record) => record.source === source)?.citations?.[fact];
      const where = cited === undefined ? source : `${source}: ${cited.source}, ${cited.date}`;
      print(printable(`  ${fact}: ${JSON.stringify(value)}  (${where})`));
    }
    print('edges:');
    for (const { source, edges } of records) {
      for (const edge of edges) {
        print(printable(`  ${edge.type} ${edge.targetId}, weight ${edge.weight}  (${source})`));
      }
    }
    print('reasons:');
    for (const { question, answer } of graded.breakdown)
      print(printable(`  ${question} ${answer}`));
    return 0;
  },
};

async function openAll({ config, signal }: CommandContext, args: ImportArguments) {
  const asked = args.from === null && args.sources.length === 0 && args.curated === null;
  const { from, sources: lists, curated } = asked ? configured(config.risk) : args;
  if (from === null && lists.length === 0 && curated === null) {
    throw new UsageError(
      `say what to import with --from, --source or --curated, or name sources under risk in ${config.file}`,
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
    `${source}: ${added} nodes added, ${changed} changed, ${removed} removed; ${regraded} graded again`,
  );
  const changes = outcome.gradeChanges;
  if (changes.length > 0) print(`  ${changes.length} grades have changed`);
  for (const change of changes.slice(0, MOST_TOLD)) {
    print(printable(`  ${change.id} ${change.from} → ${change.to}: ${becauseText(change)}`));
  }
  if (broken > 0) {
    const lacking =
      kept > 0
        ? `${kept} nodes stay as they were, as they may have been in it; get the whole list, or add --force to go by what is left of it`
        : 'get the whole list';
    print(`  the list is damaged, ${broken} entries could not be read: ${lacking}`);
  }
  for (const { kind, count, examples } of leftOut) {
    const shown = examples.slice(0, 3).join(', ');
    print(printable(`  left out ${count}: ${WORDS[kind]}: ${shown}${count > 3 ? ', …' : ''}`));
  }
}

const WORDS: Readonly<Record<ImportOutcome['leftOut'][number]['kind'], string>> = {
  'other-label': 'a weightier source calls the node something else',
  'edge-to-itself': 'an edge from a node to itself',
  'edge-of-wrong-ends': 'an edge between nodes that it cannot join',
  'edge-of-wrong-weight': 'an edge whose weight is not above 0 and up to 1',
  'edge-to-nowhere': 'an edge to a node that nobody speaks of; it counts once somebody does',
  'two-records': 'a second record of one node; it only added what the first did not say',
  'id-too-long': 'an id of over 200 characters',
};

async function printTotals(store: Store, print: (line: string) => void): Promise<void> {
  const counts = await riskNodes.getCounts(store);
  const grades = await riskGrades.getCounts(store);
  const list = (all: ReadonlyMap<string, number>) =>
    [...all].map(([name, count]) => `${name} ${count}`).join(', ');
  print(
    `in the graph: ${list(counts) || 'nothing'}${grades.size > 0 ? `; grades: ${list(grades)}` : ''}`,
  );
}

/** Names of foreign lists may hold anything; a terminal must not obey them. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, '�');
}
