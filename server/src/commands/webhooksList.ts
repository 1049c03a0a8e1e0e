import { toIso } from '../domain/time.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { type WebhookProgress, webhooks } from '../store/webhooks/webhooks.ts';
import { createSigner } from '../webhooks/signature.ts';
import { ALONE } from './command.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

export const webhooksList: StoreCommand<object> = {
  name: 'webhooks list',
  async runOn({ config, store }, _args, print) {
    const endpoints = config.webhooks ?? [];
    const states = new Map(
      (await webhooks.getProgress(store, unixTime())).map((state) => [state.name, state]),
    );
    for (const { name, url, secrets } of endpoints) {
      const keys = secrets.flatMap((secret) => createSigner(secret).publicKey ?? []);
      const parts = [name, new URL(url).hostname, ...stateTexts(states.get(name)), ...keys];
      print(parts.join('  '));
    }
    if (endpoints.length === 0) print(`no webhooks in ${config.file}`);
    return 0;
  },
};

export const command = onStore(webhooksList, {
  ...ALONE,
  usage: 'assay webhooks list [--config FILE]',
  details:
    'Lists each endpoint with its host, state, lag, last delivery, last error, and the public keys (whpk_…) that receivers verify ed25519 signatures with. Works while the server runs.',
});

function stateTexts(state: WebhookProgress | undefined): string[] {
  if (state === undefined) return ['not started'];
  const { pausedAt, pauseReason, failingSince, attempts, lagSeconds, deliveredAt, lastError } =
    state;
  const texts: string[] = [];
  if (pausedAt !== null) texts.push(`paused since ${toIso(pausedAt)} (${pauseReason})`);
  else if (failingSince !== null) {
    texts.push(`failing since ${toIso(failingSince)} (${attempts} attempts)`);
  } else texts.push('active');
  texts.push(`lag ${lagSeconds}s`);
  texts.push(deliveredAt === null ? 'nothing delivered' : `delivered ${toIso(deliveredAt)}`);
  if (lastError !== null) texts.push(`last error: ${lastError}`);
  return texts;
}
