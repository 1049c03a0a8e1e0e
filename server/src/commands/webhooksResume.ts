import { webhooks } from '../store/webhooks/webhooks.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';
import { ENDPOINT, type EndpointArguments, stateOf } from './webhooksOf.ts';

export const webhooksResume: StoreCommand<EndpointArguments> = {
  name: 'webhooks resume',
  async runOn(context, { name }, print) {
    await stateOf(context, name);
    await webhooks.resume(context.store, name);
    print(`${name} continues after its last delivery`);
    return 0;
  },
};

export const command = onStore(webhooksResume, {
  ...ENDPOINT,
  usage: 'assay webhooks resume NAME [--config FILE]',
  details:
    'Continues deliveries to a paused endpoint where they stopped, or retries a failing endpoint at once. Works while the server runs.',
});
