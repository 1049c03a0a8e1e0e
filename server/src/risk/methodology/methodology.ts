import type { Grade, Label } from '../../domain/risk/graph.ts';
import { BACKTEST } from '../backtest/backtest.ts';
import type { Backtest } from '../backtest/backtestShape.ts';
import { EDGE_WEIGHTS, type EdgeWeight } from '../grade/edgeWeights.ts';
import { CUTOFFS, METHOD_VERSION } from '../grade/method.ts';
import { LIMITS, TRIED } from './backtestWords.ts';
import { assetFactors, chainFactors, poolFactors } from './publishedFactors.ts';
import { closureFactors, protocolFactors } from './publishedProtocol.ts';

export interface PublishedFactor {
  readonly of: Label;
  readonly factor: string;
  /** Anchor in percent per year, or multiplier. */
  readonly kind: 'anchor' | 'multiplier';
  readonly rows: readonly { readonly when: string; readonly value: number }[];
}

export interface Methodology {
  readonly version: string;
  readonly cutoffs: readonly { readonly grade: Grade; readonly upToPercent: number | null }[];
  /** Factors of a loss, which a grade is about. */
  readonly factors: readonly PublishedFactor[];
  /** Factors of closure, which can cap a grade but is not part of it. */
  readonly closure: readonly PublishedFactor[];
  readonly dependencies: readonly { readonly edge: string; readonly weight: EdgeWeight }[];
  readonly floors: readonly { readonly grade: Grade; readonly when: string }[];
  readonly backtest: Backtest;
  readonly limits: readonly string[];
  readonly tried: readonly string[];
}

/** Returns the entire method as data, from the tables that the grading uses. */
export function methodology(): Methodology {
  return {
    version: METHOD_VERSION,
    cutoffs: [...CUTOFFS, { grade: 'F', upToPercent: null }],
    factors: [...protocolFactors(), ...assetFactors(), ...chainFactors(), ...poolFactors()],
    closure: closureFactors(),
    dependencies: Object.entries(EDGE_WEIGHTS).map(([edge, weight]) => ({ edge, weight })),
    floors: [
      { grade: 'F', when: 'a protocol was rugged, or hacked less than 30 days ago' },
      { grade: 'F', when: 'an asset is dead, or more than 10% off its peg' },
      { grade: 'D', when: 'a protocol is dead or deprecated, or a chain is dead' },
      { grade: 'D', when: 'an asset is more than 3% off its peg' },
      { grade: 'C', when: 'fewer than half of the requested facts are known' },
      { grade: 'C', when: 'a protocol is more likely than not to close within 41 months' },
      {
        grade: 'C',
        when: 'a chain holds less than 10 million USD, or a protocol or a pool less than 100000 USD',
      },
      {
        grade: 'B',
        when: 'a node is neither Ethereum, Bitcoin, a rollup whose stage was assessed, nor the native coin of one of these: no data shows so few losses',
      },
    ],
    backtest: BACKTEST,
    limits: LIMITS,
    tried: TRIED,
  };
}
