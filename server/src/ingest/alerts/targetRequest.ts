import type { AlertTargetConfig } from '../../config/config.ts';
import { discordBody, slackBody, telegramBody } from '../../domain/alerts/messages.ts';
import type { AlertNotice } from '../../domain/alerts/text.ts';

export interface TargetRequest {
  /** Contains the secret of the target. */
  readonly url: string;
  readonly body: object;
  /** Whether the request may go to addresses that are not public. */
  readonly allowPrivate: boolean;
}

const TELEGRAM = 'https://api.telegram.org';

/** The request that sends notices to a target. */
export function toRequest(
  target: AlertTargetConfig,
  notices: readonly AlertNotice[],
): TargetRequest {
  switch (target.kind) {
    case 'slack':
      return { url: target.url, body: slackBody(notices), allowPrivate: target.allowPrivate };
    case 'discord':
      return { url: target.url, body: discordBody(notices), allowPrivate: target.allowPrivate };
    case 'telegram':
      return {
        url: `${TELEGRAM}/bot${target.token}/sendMessage`,
        body: telegramBody(notices, target.chat),
        allowPrivate: false,
      };
  }
}
