import { type AlertNotice, noticeText } from './text.ts';

/** Services that messages are written for. */
export const TARGET_KINDS = ['slack', 'discord', 'telegram'] as const;

/** Longest text that each service accepts: of a Slack section block, a Discord description, and a Telegram message. */
const MAX_TEXT = { slack: 3_000, discord: 4_096, telegram: 4_096 } as const;

/** Colors of a Discord embed. */
const COLORS = { fired: 0xd73a49, cleared: 0x2da44e, retracted: 0x6e7781 } as const;

/** The JSON body for a Slack incoming webhook. */
export function slackBody(notices: readonly AlertNotice[]) {
  const text = textOf(notices, MAX_TEXT.slack, escapeSlack);
  return { text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] };
}

/** The JSON body for a Discord webhook. Names in the text must not notify anyone. */
export function discordBody(notices: readonly AlertNotice[]) {
  const status = notices.some((one) => one.status === 'fired') ? 'fired' : notices[0]!.status;
  const description = textOf(notices, MAX_TEXT.discord, escapeMarkdown);
  return {
    embeds: [{ title: titleOf(notices), description, color: COLORS[status] }],
    allowed_mentions: { parse: [] },
  };
}

/** The JSON body for `sendMessage` of Telegram's Bot API, as text without markup. */
export function telegramBody(notices: readonly AlertNotice[], chat: string) {
  return {
    chat_id: chat,
    text: textOf(notices, MAX_TEXT.telegram, (text) => text),
    link_preview_options: { is_disabled: true },
  };
}

function titleOf(notices: readonly AlertNotice[]): string {
  const names = [...new Set(notices.map(({ name }) => name))];
  return names.join(', ').slice(0, 256);
}

/** One line per notice. What does not fit is counted. */
function textOf(
  notices: readonly AlertNotice[],
  max: number,
  escaped: (text: string) => string,
): string {
  const lines: string[] = [];
  let length = 0;
  for (const [i, notice] of notices.entries()) {
    const line = escaped(noticeText(notice));
    const left = `and ${notices.length - i} more`;
    if (length + line.length + 1 + left.length + 1 > max) {
      lines.push(left);
      break;
    }
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join('\n');
}

function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|>[\]]/g, '\\$&');
}
