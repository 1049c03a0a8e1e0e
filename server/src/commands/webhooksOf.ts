import type { FlagValues } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import type { Config, WebhookConfig } from '../config/config.ts';
import { findNearest } from '../config/nearest.ts';
import type { Store } from '../store/store.ts';
import { type WebhookState, webhooks } from '../store/webhooks/webhooks.ts';
import { CONFIG } from './command.ts';

export interface EndpointArguments {
  readonly name: string;
}

/** For commands whose only argument is an endpoint. */
export const ENDPOINT = {
  flags: { config: CONFIG },
  argument: 'NAME',
  read: (_flags: FlagValues, name: string | undefined) => readEndpoint(name),
} as const;

export function readEndpoint(name: string | undefined): EndpointArguments {
  if (!name) throw new UsageError('specify an endpoint; "assay webhooks list" lists them');
  return { name };
}

export function endpointOf(config: Config, name: string): WebhookConfig {
  const names = (config.webhooks ?? []).map((endpoint) => endpoint.name);
  const found = config.webhooks?.find((endpoint) => endpoint.name === name);
  if (found !== undefined) return found;
  const nearest = findNearest(name, names);
  const advice =
    nearest !== undefined
      ? `did you mean ${nearest}?`
      : names.length > 0
        ? `it has ${names.join(', ')}`
        : 'add it under webhooks';
  throw new UsageError(`no webhook ${JSON.stringify(name)} in ${config.file}; ${advice}`);
}

/** The state of a configured endpoint, which a server creates when it first delivers. */
export async function stateOf(
  { config, store }: { readonly config: Config; readonly store: Store },
  name: string,
): Promise<WebhookState> {
  endpointOf(config, name);
  const state = await webhooks.find(store, name);
  if (state !== undefined) return state;
  throw new UsageError(
    `no server has started with webhook ${name} yet; start one with this configuration first`,
  );
}
