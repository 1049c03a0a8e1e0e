import type { WebhookConfig } from '../config/config.ts';
import type { Message } from './message.ts';
import { createSender, type Outcome, type SenderOptions } from './sender.ts';
import { createSigner, signedHeaders } from './signature.ts';

export interface EndpointSender {
  /** `timestamp` is in Unix seconds. */
  send(message: Message, timestamp: number, signal?: AbortSignal): Promise<Outcome>;
  close(): void;
}

/** Signs messages with every key of an endpoint and posts them. */
export function createEndpointSender(
  { url, secrets, allowPrivate }: WebhookConfig,
  options: Pick<SenderOptions, 'timeoutMs'> = {},
): EndpointSender {
  const signers = secrets.map(createSigner);
  const { timeoutMs } = options;
  const sender = createSender({ url, allowPrivate, ...(timeoutMs !== undefined && { timeoutMs }) });
  return {
    send: ({ id, body }, timestamp, signal) =>
      sender.send(signedHeaders(signers, { id, timestamp, body }), body, signal),
    close: sender.close,
  };
}
