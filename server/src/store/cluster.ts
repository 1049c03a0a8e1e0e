/** What is known of the hosts behind a store: which timeline is written to, and whether that is beyond doubt. */
export interface Cluster {
  /** Rises with each failover. Undefined before the first connection. */
  timeline(): number | undefined;
  /** Two hosts accept writes, so a row may be in only one of them: nothing may be sold. */
  isSplit(): boolean;
  /** A pooler that does not keep sessions is in between: new connections are refused. */
  isPooled(): boolean;
  /** Calls `listener` whenever one of them changes. */
  onChange(listener: () => void): void;
}
