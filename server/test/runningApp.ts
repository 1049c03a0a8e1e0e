import { type AppOptions, startApp } from '../src/assembly/app.ts';
import { OPERATOR_ERRORS } from '../src/assembly/operatorErrors.ts';
import { createLog } from '../src/cli/log.ts';
import type { StoreCommand } from '../src/commands/storeCommand.ts';
import type { Config, StoreConfig } from '../src/config/config.ts';

/** One chain in the body of GET /v1/status. */
export interface StatusChain {
  readonly chainId: number;
  readonly state: 'live' | 'syncing' | 'unreachable' | 'unconfigured';
  readonly head: string | null;
  readonly indexedBlock: string | null;
  readonly lastError: { readonly message: string; readonly since: string } | null;
}

/** The whole server in this process, with a client for its API. */
export interface RunningApp {
  readonly url: string;
  /** Returns the whole log. */
  logs(): string;
  /** Returns the raw bodies of all status responses, to check them for forbidden text. */
  bodies(): string;
  status(): Promise<readonly StatusChain[]>;
  readyStatus(): Promise<number>;
  /** Waits until the status satisfies `done`; fails after `seconds` and shows the last status. */
  until(
    done: (chains: readonly StatusChain[]) => boolean,
    seconds?: number,
  ): Promise<readonly StatusChain[]>;
  stop(): Promise<void>;
}

export async function startTestApp(
  config: Config,
  store: StoreConfig,
  commands: readonly StoreCommand[] = [],
  more: Partial<Pick<AppOptions, 'serve' | 'index' | 'readFreeBytes'>> = {},
): Promise<RunningApp> {
  const lines: string[] = [];
  const bodies: string[] = [];
  const log = createLog({
    level: 'info',
    stream: { write: (line: string) => lines.push(line) },
    safeErrors: OPERATOR_ERRORS,
  });
  const app = await startApp({
    config: { ...config, store },
    log,
    version: 'test',
    ...{ serve: true, index: true },
    commands,
    ...more,
  });
  const url = app.url!;
  let stopped: Promise<void> | undefined;

  async function status(): Promise<readonly StatusChain[]> {
    const response = await fetch(`${url}/v1/status`);
    const body = await response.text();
    if (response.status !== 200) throw new Error(`status ${response.status}: ${body}`);
    bodies.push(body);
    return (JSON.parse(body) as { chains: StatusChain[] }).chains;
  }

  return {
    url,
    logs: () => lines.join(''),
    bodies: () => bodies.join('\n'),
    status,
    readyStatus: async () => (await fetch(`${url}/health/ready`)).status,
    async until(done, seconds = 40) {
      const end = performance.now() + seconds * 1000;
      for (;;) {
        const chains = await status();
        if (done(chains)) return chains;
        if (performance.now() > end) throw new Error(`still not there: ${JSON.stringify(chains)}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    stop: () => {
      stopped ??= app.stop();
      return stopped;
    },
  };
}

/** Returns a check that these chains are live at these heads. */
export function statusLiveAt(heads: ReadonlyMap<number, number>) {
  return (chains: readonly StatusChain[]) =>
    [...heads].every(([chainId, head]) =>
      chains.some(
        (chain) =>
          chain.chainId === chainId &&
          chain.state === 'live' &&
          chain.indexedBlock === String(head) &&
          chain.lastError === null,
      ),
    );
}
