import { unixTime } from '../runtime/unixTime.ts';
import { webhooks } from '../store/webhooks/webhooks.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';
import { ENDPOINT, type EndpointArguments, stateOf } from './webhooksOf.ts';

export const webhooksPause: StoreCommand<EndpointArguments> = {
  name: 'webhooks pause',
  async runOn(context, { name }, print) {
    await stateOf(context, name);
    await webhooks.pause(context.store, name, unixTime());
    print(`${name} is paused; a request in progress is completed`);
    return 0;
  },
};

export const command = onStore(webhooksPause, {
  ...ENDPOINT,
  usage: 'assay webhooks pause NAME [--config FILE]',
  details:
    'Stops deliveries to an endpoint. Its position is kept: "assay webhooks resume" continues there. Works while the server runs.',
});
