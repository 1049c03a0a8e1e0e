import { type FlagValues, readWholeNumber } from '../cli/flags.ts';
import { toIso } from '../domain/time.ts';
import { STORED_ATTEMPTS, webhookAttempts } from '../store/webhooks/attempts.ts';
import { CONFIG } from './command.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';
import { type EndpointArguments, endpointOf, readEndpoint } from './webhooksOf.ts';

interface LogArguments extends EndpointArguments {
  readonly limit: number;
}

const DEFAULT_LIMIT = 20;

export const webhooksLog: StoreCommand<LogArguments> = {
  name: 'webhooks log',
  async runOn({ config, store }, { name, limit }, print) {
    endpointOf(config, name);
    const attempts = await webhookAttempts.getNewest(store, name, limit);
    for (const { at, status, error, events, ms, messageId, afterCursor } of attempts.toReversed()) {
      const result = error ?? `HTTP ${status}`;
      print(
        `${toIso(at)}  ${result}  ${events} events  ${ms}ms  ${messageId}  after ${afterCursor}`,
      );
    }
    if (attempts.length === 0) print(`nothing was sent to ${name} yet`);
    return 0;
  },
};

export const command = onStore(webhooksLog, {
  usage: 'assay webhooks log NAME [--limit N] [--config FILE]',
  details: `Prints the newest attempts to deliver to an endpoint, oldest first: time, result, events, duration, message id, and the cursor before the message, for "assay webhooks replay". The last ${STORED_ATTEMPTS} attempts are stored. Works while the server runs.`,
  flags: {
    config: CONFIG,
    limit: { value: 'N', text: `Number of attempts (default ${DEFAULT_LIMIT})` },
  },
  argument: 'NAME',
  read: (flags: FlagValues, name: string | undefined) => ({
    ...readEndpoint(name),
    limit: readWholeNumber(flags, 'limit', { from: 1, to: STORED_ATTEMPTS }) ?? DEFAULT_LIMIT,
  }),
});
