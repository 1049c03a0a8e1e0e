import type { ChainStatus } from './status.ts';

/** What the public server needs of the rest. */
export interface ServerDeps {
  readonly version: string;
  readonly getChainStatuses: () => Promise<readonly ChainStatus[]>;
  /** Called with what was answered as a bare 500. */
  readonly onError: (error: unknown) => void;
}
