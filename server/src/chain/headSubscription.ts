/** New heads from a subscription, which only determine when to read. */
export interface HeadSubscription {
  /** Whether the subscription is confirmed and its connection open. */
  alive(): boolean;
  /** The hash of the newest head; null if none came since the subscription began. */
  latest(): string | null;
  /** Calls the listener after a new head, or when the subscription has ended. Returns a function that stops it. */
  listen(listener: () => void): () => void;
}

/** The subscription to new heads on one connection after the other. */
export interface ConnectionHeads extends HeadSubscription {
  /** Whether there was ever a listener: from then on each connection subscribes to heads. */
  isWanted(): boolean;
  /** Takes a message of the subscription; returns false for any other. */
  take(message: HeadMessage): boolean;
  /** The connection is lost. */
  end(): void;
  /** Calls no listener any more. */
  close(): void;
}

/** The fields of a JSON-RPC message that matter for a subscription. */
export interface HeadMessage {
  readonly method?: unknown;
  readonly params?: { readonly subscription?: unknown; readonly result?: { hash?: unknown } };
  readonly id?: unknown;
  readonly result?: unknown;
}

const SUBSCRIBE_ID = 'heads';

export const SUBSCRIBE_TO_HEADS = JSON.stringify({
  jsonrpc: '2.0',
  id: SUBSCRIBE_ID,
  method: 'eth_subscribe',
  params: ['newHeads'],
});

/** `onWanted` is called for the first listener. */
export function createConnectionHeads(onWanted: () => void): ConnectionHeads {
  const listeners = new Set<() => void>();
  let wanted = false;
  let subscription: string | null = null;
  let latest: string | null = null;

  return {
    alive: () => subscription !== null,
    latest: () => latest,
    listen,
    isWanted: () => wanted,
    take,
    end,
    close: () => listeners.clear(),
  };

  function listen(listener: () => void): () => void {
    listeners.add(listener);
    if (!wanted) {
      wanted = true;
      onWanted();
    }
    return () => listeners.delete(listener);
  }

  function take({ method, params, id, result }: HeadMessage): boolean {
    if (method === 'eth_subscription') {
      const hash = params?.result?.hash;
      if (params?.subscription !== subscription || typeof hash !== 'string') return true;
      latest = hash.toLowerCase();
      notify();
      return true;
    }
    if (id !== SUBSCRIBE_ID) return false;
    // An RPC endpoint that rejects the subscription is polled.
    if (typeof result === 'string') subscription = result;
    notify();
    return true;
  }

  function end(): void {
    subscription = null;
    latest = null;
    notify();
  }

  function notify(): void {
    for (const listener of [...listeners]) listener();
  }
}
