/** State of the hosts behind a store: the timeline that is written to, and whether it is certain. */
export interface Cluster {
  /** Rises with each failover. Undefined before the first connection. */
  timeline(): number | undefined;
  /** Two hosts accept writes, so a row may exist in only one of them; sales must stop. */
  isSplit(): boolean;
  /** A pooler that does not keep sessions is in between: new connections are refused. */
  isPooled(): boolean;
  /** Calls `listener` when one of them changes. */
  onChange(listener: () => void): void;
}
