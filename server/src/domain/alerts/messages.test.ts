import { describe, expect, test } from 'vitest';
import { discordBody, slackBody, telegramBody } from './messages.ts';
import { type AlertNotice, noticeText } from './text.ts';

const notice: AlertNotice = {
  name: 'price-fall',
  kind: 'share-price-falls',
  family: 'svcusd',
  chain: 'base',
  status: 'fired',
  at: 1_769_860_800,
  announcedAt: 1_769_860_860,
  value: 7_500n,
  bound: 5_000n,
  asset: { decimals: 6, symbol: 'USDC' },
};
const TEXT =
  'price-fall fired: svcusd on base, share price fell by 0.75% (bound 0.5%), at 2026-01-31T12:00:00.000Z';

describe('noticeText', () => {
  test('default', () => {
    expect(noticeText(notice)).toBe(TEXT);
    const queued = {
      ...notice,
      kind: 'queue-above',
      value: 1_250_000n,
      bound: 1_000_000n,
    } as const;
    expect(noticeText(queued)).toContain('redemption queue: 1.25 USDC (bound 1 USDC)');
    const late = { ...notice, kind: 'chain-behind', value: 5_400n, bound: 600n } as const;
    expect(noticeText(late)).toContain('age of the newest indexed block: 90m (bound 10m)');
  });

  test('behavior: a change that is found late is reported as late', () => {
    const late = (seconds: number) => noticeText({ ...notice, announcedAt: notice.at + seconds });
    expect(late(1_799)).toBe(TEXT);
    expect(late(1_800)).toBe(`${TEXT}, reported 30m late`);
    expect(late(11_520)).toBe(`${TEXT}, reported 3h late`);
    expect(late(300_000)).toBe(`${TEXT}, reported 3d late`);
    expect(noticeText({ ...notice, announcedAt: null })).toBe(TEXT);
    const retracted = { ...notice, status: 'retracted', announcedAt: notice.at + 9_999 } as const;
    expect(noticeText(retracted)).not.toContain('late');
  });

  test('behavior: amounts without a known asset are base units', () => {
    const unknown = { ...notice, kind: 'large-exit', asset: null } as const;
    expect(noticeText(unknown)).toContain('7500 base units');
  });
});

describe('bodies', () => {
  // https://api.slack.com/messaging/webhooks: text is the fallback of the blocks.
  test('slack', () => {
    expect(slackBody([notice])).toEqual({
      text: TEXT,
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: TEXT } }],
    });
  });

  // https://discord.com/developers/docs/resources/webhook#execute-webhook
  test('discord', () => {
    expect(discordBody([{ ...notice, status: 'cleared' }])).toEqual({
      embeds: [
        { title: 'price-fall', description: TEXT.replace('fired', 'cleared'), color: 0x2da44e },
      ],
      allowed_mentions: { parse: [] },
    });
  });

  // https://core.telegram.org/bots/api#sendmessage
  test('telegram', () => {
    expect(telegramBody([notice], '-100123')).toEqual({
      chat_id: '-100123',
      text: TEXT,
      link_preview_options: { is_disabled: true },
    });
  });

  test('behavior: a hostile token symbol is escaped', () => {
    const hostile = {
      ...notice,
      kind: 'queue-above',
      asset: { decimals: 0, symbol: '<!channel> *x* @everyone' },
    } as const;
    expect(slackBody([hostile]).text).toContain('&lt;!channel&gt;');
    expect(slackBody([hostile]).text).not.toContain('<');
    expect(discordBody([hostile]).embeds[0]!.description).toContain('\\*x\\*');
  });

  test('behavior: notices that do not fit are counted', () => {
    const many = Array.from({ length: 100 }, () => notice);
    const bodies = [
      [slackBody(many).text, 3_000],
      [discordBody(many).embeds[0]!.description, 4_096],
      [telegramBody(many, '1').text, 4_096],
    ] as const;
    for (const [text, max] of bodies) {
      expect(text.length).toBeLessThanOrEqual(max);
      const lines = text.split('\n');
      expect(lines.at(-1)).toBe(`and ${100 - lines.length + 1} more`);
    }
  });
});
