import type { StoreConfig } from '../../src/config/config.ts';
import { parseConfig } from '../../src/config/load.ts';
import { type RunningApp, startTestApp, statusLiveAt } from '../runningApp.ts';
import { chainsOf, configOf, type Scenario } from './scenario.ts';

/** The server on a scenario's chains, with a client for its API. */
export interface Served {
  readonly app: RunningApp;
  get<T>(path: string): Promise<T>;
  /** Waits until everything up to the heads is indexed. */
  live(): Promise<void>;
  stop(): Promise<void>;
}

export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** Uses the scenario's own configuration unless another is given. */
export async function serve(
  scenario: Scenario,
  store: StoreConfig,
  text = configOf(scenario),
): Promise<Served> {
  const app = await startTestApp(parseConfig({ file: 'scenario.yaml', text, env: {} }), store);

  async function get<T>(path: string): Promise<T> {
    const response = await fetch(`${app.url}${path}`);
    const body = await response.text();
    if (response.status !== 200) throw new Unanswered(`${path}: ${response.status} ${body}`);
    return JSON.parse(body) as T;
  }

  return {
    app,
    get,
    live: async () => {
      const heads = new Map(chainsOf(scenario).map(({ chainId, tip }) => [chainId, tip.number]));
      const isLive = statusLiveAt(heads);
      const { halted } = scenario;
      await app.until((chains) =>
        isLive(halted ? chains.map((chain) => ({ ...chain, lastError: null })) : chains),
      );
    },
    stop: () => app.stop(),
  };
}
