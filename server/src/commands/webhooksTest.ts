import { randomUUID } from 'node:crypto';
import { EVENTS_START } from '../domain/events/event.ts';
import { eventWire } from '../http/events/eventWire.ts';
import { loadCursorKey } from '../http/vault/cursor.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { webhooks } from '../store/webhooks/webhooks.ts';
import { createEndpointSender } from '../webhooks/endpointSender.ts';
import { createTestMessage } from '../webhooks/message.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';
import { ENDPOINT, type EndpointArguments, endpointOf } from './webhooksOf.ts';

export const webhooksTest: StoreCommand<EndpointArguments> = {
  name: 'webhooks test',
  async runOn({ config, store, signal }, { name }, print) {
    const endpoint = endpointOf(config, name);
    const { cursorOf } = eventWire(await loadCursorKey(store));
    const position = (await webhooks.find(store, name)) ?? EVENTS_START;
    const sender = createEndpointSender(endpoint);
    try {
      const message = createTestMessage(name, cursorOf(position), randomUUID());
      const { status, error } = await sender.send(message, unixTime(), signal);
      print(error === null ? `delivered: HTTP ${status}` : `not delivered: ${error}`);
      return error === null ? 0 : 1;
    } finally {
      sender.close();
    }
  },
};

export const command = onStore(webhooksTest, {
  ...ENDPOINT,
  usage: 'assay webhooks test NAME [--config FILE]',
  details:
    'Sends one signed message of type "test" without events, also to a paused endpoint, and prints the result. Exit code 1: it was not delivered. Works while the server runs.',
});
