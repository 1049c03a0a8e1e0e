import type { Summary } from './summary.ts';
import { startWorker } from './worker.ts';

export interface LoadJob {
  readonly port: number;
  readonly paths: readonly string[];
  /** Accept-Encoding; absent: none is sent. */
  readonly encoding?: string | undefined;
  readonly connections: number;
  /** For so long, drawn at random; absent: every path once, in order. */
  readonly seconds?: number;
  readonly seed?: number;
}

export interface LoadResult extends Summary {
  readonly ms: number;
  /** How often what went wrong. */
  readonly failures: Readonly<Record<string, number>>;
}

export class LoadFailed extends Error {
  constructor(failures: LoadResult['failures']) {
    super(`Requests that were to succeed did not: ${JSON.stringify(failures)}`);
    this.name = 'LoadFailed';
  }
}

/** Sends requests from a process of its own. */
export interface Load {
  /** Failures are part of the result. */
  run(job: LoadJob): Promise<LoadResult>;
  /** Failures end the benchmark. */
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
