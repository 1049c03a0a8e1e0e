import type { RiskEdge, RiskNode } from './graph.ts';
import { type ListSource, listSource, RISK_LIST_NAMES } from './riskLists.ts';

/**
 * What one source says of one node, and of what that node depends on. Records of several sources on one id are
 * merged fact by fact; see merge.ts.
 */
export interface RiskRecord {
  readonly node: RiskNode;
  /** Edges that begin at the node. */
  readonly edges: readonly RiskEdge[];
  readonly names?: RecordNames;
  /** Facts that tell whether the record has changed, where small movements of its own are no change. */
  readonly rounded?: RiskNode['facts'];
}

/** What other lists call the node by and need to know of it: kept with the record, never served. */
export interface RecordNames {
  /** Its ids at the source. */
  readonly ids?: readonly string[];
  /** Ids at the market-data provider of the coins that it issues. */
  readonly issues?: readonly string[];
  /** The same of those that a bridge names: its own, or what it carries for others. */
  readonly carries?: readonly string[];
  /** Liquidity in its pools is concentrated. */
  readonly concentrated?: boolean;
}

/** Whose word counts more, highest first: curated facts win over the vault families' own, these over imported ones. */
export const SOURCES: readonly RiskSource[] = [
  'curated',
  'catalogue',
  'families',
  ...RISK_LIST_NAMES.map(listSource),
];
/** `catalogue` is the included catalog: databases store the name, so it keeps its spelling. */
export type RiskSource = 'curated' | 'catalogue' | 'families' | ListSource;

/** A node over all its sources. */
export interface MergedNode {
  readonly node: RiskNode;
  /** Where each fact comes from, by the fact's name. */
  readonly sources: Readonly<Record<string, RiskSource>>;
  /** When anything that a source says of it last changed; Unix seconds. */
  readonly lastUpdatedAt: number;
}

export interface MergedEdge {
  readonly edge: RiskEdge;
  readonly source: RiskSource;
  readonly lastUpdatedAt: number;
}

/** The source of a fact, and the day it was retrieved. */
export interface Citation {
  readonly source: string;
  readonly date: string;
}

/** The sources of the facts of a curated record. */
export interface CitedRecord extends RiskRecord {
  readonly citations?: Readonly<Record<string, Citation>>;
}

/** A record with its source, and since when the source contains it. */
export interface SourcedRecord extends CitedRecord {
  readonly source: RiskSource;
  readonly updatedAt: number;
}
