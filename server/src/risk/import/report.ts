import { type RiskSource, SOURCES } from '../../domain/risk/record.ts';

/** Counts of one source's items, by outcome. */
export interface SourceReport {
  /** Items of the source's documents, including broken ones. */
  read: number;
  /** Items that gave at least one record. */
  kept: number;
  /** Items without a record, by reason below. */
  skipped: number;
  /** Skipped entries that are invalid JSON, or truncated. */
  broken: number;
  /** Nodes that were already known from another source. */
  joined: number;
  created: number;
  /** Created nodes that are only referenced by items, such as the token of a pool. */
  made: number;
  readonly reasons: ReadonlyMap<string, Cases>;
  /** Imported values that need review. */
  readonly notices: ReadonlyMap<string, Cases>;
}

export interface Cases {
  count: number;
  readonly examples: string[];
}

export interface ImportReport {
  of(source: RiskSource): SourceReport;
  skip(source: RiskSource, reason: string, example: string): void;
  /** An unreadable entry, whose content is unknown. */
  skipBroken(source: RiskSource, reason: string, example: string): void;
  notice(source: RiskSource, what: string, example: string): void;
  /** The documents that were read, most important first. */
  sources(): readonly [RiskSource, SourceReport][];
}

export function createImportReport({ examples = 5 }: { examples?: number } = {}): ImportReport {
  const reports = new Map<RiskSource, SourceReport>();

  return { of, skip, skipBroken, notice, sources };

  function of(source: RiskSource): SourceReport {
    const known = reports.get(source);
    if (known !== undefined) return known;
    const report = {
      ...{ read: 0, kept: 0, skipped: 0, broken: 0, joined: 0, created: 0, made: 0 },
      reasons: new Map<string, Cases>(),
      notices: new Map<string, Cases>(),
    };
    reports.set(source, report);
    return report;
  }

  function skip(source: RiskSource, reason: string, example: string): void {
    const report = of(source);
    report.skipped++;
    add(report.reasons as Map<string, Cases>, reason, example);
  }

  function skipBroken(source: RiskSource, reason: string, example: string): void {
    of(source).broken++;
    skip(source, reason, example);
  }

  function notice(source: RiskSource, what: string, example: string): void {
    add(of(source).notices as Map<string, Cases>, what, example);
  }

  function add(cases: Map<string, Cases>, what: string, example: string): void {
    const found = cases.get(what) ?? { count: 0, examples: [] };
    found.count++;
    if (found.examples.length < examples) found.examples.push(printable(example));
    cases.set(what, found);
  }

  function sources(): [RiskSource, SourceReport][] {
    return SOURCES.flatMap((source) => {
      const report = reports.get(source);
      return report === undefined ? [] : [[source, report] as [RiskSource, SourceReport]];
    });
  }
}

/** Returns the report as lines for a terminal. */
export function printReport(report: ImportReport): string[] {
  return report
    .sources()
    .flatMap(([source, each]) => [
      `${source}: ${each.read} read, ${each.kept} kept, ${each.skipped} skipped; ` +
        `${each.joined} nodes joined, ${each.created} created` +
        (each.made > 0 ? ` (${each.made} of them only spoken of)` : ''),
      ...casesText('skipped', each.reasons),
      ...casesText('look at', each.notices),
    ]);
}

function casesText(verb: string, cases: ReadonlyMap<string, Cases>): string[] {
  return [...cases]
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([what, { count, examples }]) => {
      const more = count > examples.length ? ', …' : '';
      return `  ${verb} ${count}: ${what}: ${examples.join(', ')}${more}`;
    });
}

/** Names from third-party lists can contain control sequences, which a terminal would execute. */
function printable(text: string): string {
  const plain = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, '�');
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain;
}
