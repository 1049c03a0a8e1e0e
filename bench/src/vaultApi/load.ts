import type { Summary } from './summary.ts';
import { startWorker } from './worker.ts';

export interface LoadJob {
  readonly port: number;
  readonly paths: readonly string[];
  /** Accept-Encoding; absent: none is sent. */
  readonly encoding?: string | undefined;
  readonly connections: number;
  /** How long to request random paths; absent: every path once, in order. */
  readonly seconds?: number;
  readonly seed?: number;
}

export interface LoadResult extends Summary {
  readonly ms: number;
  /** Number of failures by kind. */
  readonly failures: Readonly<Record<string, number>>;
}

export class LoadFailed extends Error {
  constructor(failures: LoadResult['failures']) {
    super(`Requests failed: ${JSON.stringify(failures)}`);
    this.name = 'LoadFailed';
  }
}

/** Sends requests from a separate process. */
export interface Load {
  /** Returns failures as part of the result. */
  run(job: LoadJob): Promise<LoadResult>;
  /** Throws on failures, which ends the benchmark. */
  runWell(job: LoadJob): Promise<LoadResult>;
  stop(): Promise<void>;
}

export function startLoad(): Load {
  const worker = startWorker('./loadWorker.js');
  const run = (job: LoadJob) => worker.ask<LoadResult>(job);
  return {
    run,
    async runWell(job) {
      const result = await run(job);
      if (Object.keys(result.failures).length > 0) throw new LoadFailed(result.failures);
      return result;
    },
    stop: worker.stop,
  };
}
