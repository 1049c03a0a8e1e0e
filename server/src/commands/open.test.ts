import { describe, expect, test } from 'vitest';
import { runOnTerminal } from '../../test/fakeTerminal.ts';
import { browserCommand } from '../cli/openBrowser.ts';

const WALLET = '0x7F2B15432202E103B624CD7F51802dd868Bc4c31';
const env = { ASSAY_URL: 'https://api.example.com' };

describe('assay open', () => {
  test.each([
    ['', '/'],
    ['vaults --chain 8453 --asset USDC', '/?chain=8453&asset=USDC'],
    ['vault svcusd', '/family/svcusd'],
    ['apy svcusd --interval hour', '/family/svcusd?chart=apy&interval=hour'],
    ['tvl svcusd --usd', '/family/svcusd?chart=tvl&interval=day&unit=usd'],
    ['price svcusd', '/family/svcusd?chart=price&interval=day'],
    ['history', '/'],
    ['history --family svcusd', '/family/svcusd'],
    [
      `history --wallet ${WALLET} --family svcusd --period 7d`,
      `/wallet/${WALLET}?family=svcusd&period=7d`,
    ],
    [`pending ${WALLET}`, `/wallet/${WALLET}`],
    [`performance ${WALLET} --family svcusd`, `/wallet/${WALLET}?family=svcusd`],
    ['risk search usdc --label pool', '/risk?q=usdc&label=Pool'],
    ['risk node chain:base', '/risk?node=chain%3Abase'],
    ['risk dependencies pool:base:0x12', '/risk?node=pool%3Abase%3A0x12'],
    ['vault ../../etc', '/family/..%2F..%2Fetc'],
  ])('default: open %s', async (line, page) => {
    const found = await runOnTerminal(`open ${line}`, { env });
    expect(found).toEqual({ code: 0, out: `https://api.example.com${page}\n`, err: '' });
  });

  test('behavior: accepts its own flags before or after the command', async () => {
    for (const line of [
      'open --print --url http://a.example vault svcusd',
      'open vault svcusd --url http://a.example --print',
      'open vault --url=http://a.example svcusd',
    ]) {
      expect((await runOnTerminal(line, { env })).out, line).toBe(
        'http://a.example/family/svcusd\n',
      );
    }
    expect((await runOnTerminal('open --url http://a.example')).out).toBe('http://a.example/\n');
  });

  test('error: a command without a page, and invalid arguments', async () => {
    const none = await runOnTerminal('open spend', { env });
    expect(none).toMatchObject({ code: 2, out: '' });
    expect(none.err).toContain('the dashboard has no page for spend');
    expect((await runOnTerminal('open open', { env })).code).toBe(2);
    expect((await runOnTerminal('open vault', { env })).code).toBe(2);
    expect((await runOnTerminal('open vault svcusd --prnt', { env })).code).toBe(2);
  });

  test('behavior: which program shows a URL', () => {
    expect(browserCommand({}, 'linux')).toBeUndefined();
    expect(browserCommand({ DISPLAY: ':0' }, 'linux')).toEqual(['xdg-open']);
    expect(browserCommand({ BROWSER: 'firefox:lynx' }, 'linux')).toEqual(['firefox']);
    expect(browserCommand({}, 'darwin')).toEqual(['open']);
    expect(browserCommand({}, 'win32')).toEqual(['rundll32', 'url.dll,FileProtocolHandler']);
  });

  test('error: a missing program', async () => {
    const shown = await runOnTerminal('open', {
      columns: 80,
      env: { ...env, BROWSER: '/nowhere/browser' },
    });
    expect(shown).toEqual({
      code: 0,
      out: 'https://api.example.com/\n',
      err: 'assay: /nowhere/browser could not be started; open the URL yourself\n',
    });
  });
});
