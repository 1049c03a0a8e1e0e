import type { FlagValues } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import type { Config } from '../config/config.ts';
import { type EventPosition, EventsGone } from '../domain/events/event.ts';
import { openPosition } from '../http/events/eventCursor.ts';
import { createEventFeed } from '../http/events/eventFeed.ts';
import { loadCursorKey } from '../http/vault/cursor.ts';
import type { Store } from '../store/store.ts';
import { webhooks } from '../store/webhooks/webhooks.ts';
import { CONFIG } from './command.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';
import { type EndpointArguments, readEndpoint, stateOf } from './webhooksOf.ts';

interface ReplayArguments extends EndpointArguments {
  readonly after: string;
}

export const webhooksReplay: StoreCommand<ReplayArguments> = {
  name: 'webhooks replay',
  async runOn(context, { name, after }, print) {
    const state = await stateOf(context, name);
    const position = await positionOf(context, after);
    if (!(await webhooks.replay(context.store, state, position))) {
      throw new UsageError('another replay was started at the same time; run the command again');
    }
    const paused = state.pausedAt === null ? '' : '; it is paused, so resume it as well';
    print(`${name} gets all events after that cursor again${paused}`);
    return 0;
  },
};

export const command = onStore(webhooksReplay, {
  usage: 'assay webhooks replay NAME --after CURSOR|start|latest [--config FILE]',
  details:
    'Delivers all events after a cursor of "assay webhooks log" or /v1/events again, in order, and continues with new ones. "start" is the oldest stored event; "latest" skips all undelivered events. Works while the server runs.',
  flags: {
    config: CONFIG,
    after: { value: 'CURSOR', text: 'The last event not to deliver, or start, or latest' },
  },
  argument: 'NAME',
  read(flags: FlagValues, name: string | undefined) {
    const after = flags.get('after');
    if (!after) throw new UsageError('add --after with a cursor, start, or latest');
    return { ...readEndpoint(name), after };
  },
});

async function positionOf(
  { config, store }: { readonly config: Config; readonly store: Store },
  after: string,
): Promise<EventPosition> {
  const feed = createEventFeed({ config, store: { reads: store }, onCommit: () => () => {} });
  if (after === 'latest') return feed.head();
  if (after === 'start') return feed.oldest();
  const position = openPosition(await loadCursorKey(store), after);
  if (position === undefined) throw new UsageError('--after is not a cursor of this store');
  try {
    await feed.read(position, {}, 1);
  } catch (error) {
    if (!(error instanceof EventsGone)) throw error;
    throw new UsageError('the events after that cursor are not stored; use start or latest');
  }
  return position;
}
