import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFileStore } from '@assay/client/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { widthOf } from '../src/terminal/text.ts';
import { describeExitCodes } from './exitCodes.ts';
import { runOnTerminal } from './fakeTerminal.ts';
import { encryptKey } from './keystoreFile.ts';
import { listenOnLoopback, stopServer } from './loopbackServer.ts';
import { openReadServer, type ReadServer } from './readServer.ts';

const PRICE = 50_000n;
const NODE = 'chain:base';
/** Control characters that Assay never prints: cursor moves, bells, backspaces. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them
const OBEYED = /[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors are control characters
const COLOR = /\x1b\[\d+m/g;

const startedIn = process.cwd();
let server: ReadServer;
let wallet: string;

beforeAll(async () => {
  server = await openReadServer();
  // The working directory contains the demo's wallets.
  process.chdir(server.folder);
  wallet = server.world.wallets[0]!.address;
  // The risk graph loads its catalog shortly after the start, and the families' pools shortly after that. Until then, a
  // paid request for a node is free and fails.
  for (let code: number | null = 4; code === 4; await sleep(200)) {
    code = (await shown(`risk node ${NODE} --yes --max-usd 0.05`)).code;
  }
  for (let found = 0; found === 0; await sleep(200)) {
    const { out } = await shown('risk search alpha --label pool --yes --max-usd 0.001 --json');
    found = JSON.parse(out).answer.length;
  }
}, 180_000);
afterAll(async () => {
  process.chdir(startedIn);
  await server?.close();
});

/** Runs in this process, because starting another takes longer than all the rest. */
function shown(line: string, columns?: number, env: Record<string, string> = {}) {
  return runOnTerminal(line, {
    env: { ASSAY_URL: server.url, ...env },
    ...(columns !== undefined && { columns }),
  });
}

describe('reading a server', () => {
  const lines = () => [
    'vaults',
    'vault svcusd',
    'apy svcusd',
    'tvl svcusd',
    'tvl svcusd --usd',
    'price svcusd --interval hour',
    'history --limit 30',
    'history --family svcusd --period 30d',
    'events --types history --limit 20',
    'yield svcusd',
    'exit svcusd',
    'exit svcusd --assets 2500',
    `pending ${wallet}`,
    `performance ${wallet}`,
    `performance ${wallet} --method hifo`,
  ];

  test.each([80, 200])('default: fits %d columns, with and without color', async (columns) => {
    for (const line of lines()) {
      const plain = await shown(line, columns, { NO_COLOR: '1' });
      expect(plain, line).toMatchObject({ code: 0, err: '' });
      expect(plain.out, line).not.toMatch(OBEYED);
      expect(plain.out, line).not.toContain('\x1b');
      const widest = Math.max(...plain.out.split('\n').map(widthOf));
      expect(widest, `${line}\n${plain.out}`).toBeLessThanOrEqual(columns);
      const colored = await shown(line, columns);
      // Ages can grow by a second between the two.
      const ages = / *\d+ (s|min) ago/g;
      expect(colored.out.replace(COLOR, '').replace(/ +$/gm, '').replace(ages, ''), line).toBe(
        plain.out.replace(ages, ''),
      );
    }
  });

  test("behavior: a statement fits the terminal, and its files equal the server's", async () => {
    const year = new Date().getUTCFullYear();
    const line = `statement ${wallet} --year ${year} --method fifo`;
    for (const columns of [80, 200]) {
      const { code, out } = await shown(line, columns, { NO_COLOR: '1' });
      expect(code).toBe(0);
      expect(Math.max(...out.split('\n').map(widthOf)), out).toBeLessThanOrEqual(columns);
      expect(out).toContain('CLOSING');
    }
    const { out: json } = await shown(`${line} --json`);
    expect(JSON.parse(json)).toMatchObject({ year, method: 'fifo', timeZone: 'UTC' });
    for (const format of ['koinly', 'cointracking', 'journal']) {
      const { code, out } = await shown(`${line} --time-zone Europe/Zurich --format ${format}`);
      expect(code).toBe(0);
      const query = `year=${year}&method=fifo&timeZone=Europe/Zurich&format=${format}`;
      const url = `${server.url}/v1/users/${wallet}/statement.csv?${query}`;
      const served = await fetch(url);
      expect(served.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect((await served.text()).replaceAll('\r\n', '\n')).toBe(out);
    }
  });

  test("behavior: in a demo's folder its server is the default", async () => {
    const { code, out } = await runOnTerminal('vaults --json', { env: {} });
    expect(code).toBe(0);
    expect(JSON.parse(out)).not.toEqual([]);
  });

  test('behavior: a wider terminal shows more', async () => {
    const [narrow, wide] = [await shown('vaults', 80), await shown('vaults', 200)];
    for (const title of ['FAMILY', 'TVL', 'APY 7D']) expect(narrow.out).toContain(title);
    expect(narrow.out).not.toContain('REWARDS');
    for (const title of ['NAME', 'REWARDS', 'UPDATED']) expect(wide.out).toContain(title);
  });

  test.each(['json', 'csv'])(
    'behavior: --%s prints the same on a terminal and in a pipe',
    async (form) => {
      for (const line of lines()) {
        const piped = await shown(`${line} --${form}`);
        expect(piped, line).toMatchObject({ code: 0, err: '' });
        expect(await shown(`${line} --${form}`, 80), line).toEqual(piped);
        if (form === 'json') expect(() => JSON.parse(piped.out), line).not.toThrow();
        else {
          const [titles = '', ...rows] = piped.out.trimEnd().split('\n');
          for (const row of rows) expect(cellsOf(row), row).toHaveLength(cellsOf(titles).length);
        }
      }
    },
  );

  test("behavior: amounts equal the server's, exact in machine-readable formats", async () => {
    const vaults = JSON.parse((await shown('vaults --json')).out);
    expect(vaults).toEqual(await (await fetch(`${server.url}/v1/vaults`)).json());
    const [{ slug, stats }] = vaults;
    const [titles, row] = (await shown('vaults --csv')).out.split('\n').map(cellsOf);
    const cell = (name: string) => row![titles!.indexOf(name)];
    expect(cell('family')).toBe(slug);
    expect(cell('tvl')!.replace('.', '').replace(/0+$/, '')).toBe(stats.tvl.replace(/0+$/, ''));
    expect(Number(cell('apy7d'))).toBe(stats.apy7d);
  });

  test('behavior: converts an exit amount in tokens to base units', async () => {
    const { out } = await shown('exit svcusd --assets 2500.5 --json');
    const terms = JSON.parse(out);
    expect(terms.assets).toBe('2500500000');
    expect(terms.chains.length).toBeGreaterThan(0);
    expect((await shown('exit svcusd')).out).toContain('WITHDRAWABLE');
    expect(await shown('exit svcusd --assets 1.2345678')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/--assets has more than 6 decimals/),
    });
    expect(await shown('exit svcusd --assets 0')).toMatchObject({ code: 2 });
    expect(await shown('exit svcus --assets 1')).toMatchObject({ code: 4 });
  });

  test('behavior: the yield rows end with a total that is their sum', async () => {
    const { sources, unattributed, total } = JSON.parse((await shown('yield svcusd --json')).out);
    const rows = (await shown('yield svcusd --csv')).out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map(cellsOf);
    expect(rows.map(([source]) => source)).toEqual([
      ...sources.map((one: { source: string }) => one.source),
      'unattributed',
      'total',
    ]);
    const sum = [...sources, unattributed].reduce((all, { assets }) => all + BigInt(assets), 0n);
    expect(total.assets).toBe(`${sum}`);
  });

  test('behavior: in a pipe, nothing is truncated, colored, or left out', async () => {
    const { out } = await shown('history --limit 5');
    expect(out).toMatch(/0x[0-9a-f]{64}/);
    expect(out).not.toContain('…');
    expect(out).not.toContain('\x1b');
  });

  test('error: each is one line with what to do, and a distinct exit code', async () => {
    const cases: [line: string, code: number, words: RegExp][] = [
      ['vault svcus', 4, /no vault family "svcus"; did you mean svcusd\?$/],
      ['apy nothing-like-it', 4, /known families: svcusd, svcusd-edge$/],
      ['history --family svcus', 4, /did you mean svcusd\?$/],
      [`performance ${wallet} --family x`, 4, /no vault family "x"/],
      ['apy svcusd --from 2026-02-30', 2, /^assay: from /],
      ['pending 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD0'.slice(0, 50), 2, /walletAddress/],
      [
        'vaults --url http://127.0.0.1:9',
        3,
        /no server responds at http:\/\/127\.0\.0\.1:9; start one/,
      ],
    ];
    for (const [line, code, words] of cases) {
      const found = await shown(line);
      expect(found, line).toMatchObject({ code, out: '' });
      expect(found.err.trimEnd(), line).toMatch(words);
      expect(found.err.trimEnd().split('\n'), line).toHaveLength(1);
    }
  });

  test("error: a server's control characters, and responses of another server", async () => {
    const answers: Record<string, unknown> = {
      '/v1/vaults': [
        {
          slug: 'x',
          name: 'a\x1b[2J\u009b1mb\n\u202ec',
          address: '0x',
          feederOf: null,
          assets: null,
          chains: [],
          stats: null,
        },
      ],
      '/v1/vaults/x': { detail: 'not\x1b[31m ready\nat all', status: 503 },
      '/v1/history': { hello: 'world' },
    };
    const odd = createServer((request, response) => {
      const body = answers[request.url!.split('?')[0]!];
      const status = (body as { status?: number } | undefined)?.status ?? 200;
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(body ?? {}));
    });
    const port = await listenOnLoopback(odd, 0);
    const env = { ASSAY_URL: `http://127.0.0.1:${port}` };
    try {
      for (const form of ['', '--json', '--csv']) {
        const { code, out } = await shown(`vaults ${form}`, undefined, env);
        expect(code, form).toBe(0);
        expect(out, form).not.toMatch(OBEYED);
        for (const char of ['\x1b', '\u202e']) expect(out, form).not.toContain(char);
      }
      const busy = await shown('vault x', undefined, env);
      expect(busy.err).toBe(
        'assay: the server returned 503: not [31m ready at all; try again later\n',
      );
      const strange = await shown('history', undefined, env);
      expect(strange).toMatchObject({
        code: 3,
        err: expect.stringContaining('is not an Assay server'),
      });
    } finally {
      await stopServer(odd);
    }
  });

  test('error: in a process, an invalid flag and a closed pipe', async () => {
    const wrong = await server.assay('vaults --jsn');
    expect(wrong).toEqual({
      code: 2,
      out: '',
      err: 'assay: unknown flag "--jsn" after vaults; did you mean --json?\n',
    });
    const piped = await server.assay('vaults');
    expect(piped).toMatchObject({ code: 0, err: '' });
    expect(piped.out).not.toContain('\x1b');
    const full = await server.through('"$@" > /dev/full', 'vaults');
    expect(full).toEqual({
      code: 1,
      out: '',
      err: 'assay: the output could not be written (ENOSPC)\n',
    });
  });
});

describe('buying from a server', () => {
  /** Returns what was paid during `work`, in base units. */
  async function paidBy(work: () => Promise<unknown>): Promise<bigint> {
    const before = await server.earned();
    await work();
    return (await server.earned()) - before;
  }

  test('default: a grade with its receipt', async () => {
    const paid = await paidBy(async () => {
      const { code, out, err } = await server.assay(`risk node ${NODE} --yes --max-usd 0.05`);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(/\(chain:base\) {2}grade [A-F]\n/);
      expect(out).toContain('Why this grade?');
      expect(out).toMatch(/^ {2}paid {5}0\.05 USD \(USDC on Base, eip155:8453\)$/m);
      const [, transaction] = /^ {2}receipt {2}(0x\w{64})$/m.exec(out)!;
      const receipt = await server.world
        .chain(8453)
        .chain.rpc('eth_getTransactionReceipt', [transaction]);
      expect(receipt).toMatchObject({ status: '0x1' });
    });
    expect(paid).toBe(PRICE);
  });

  test('behavior: every paid command, as text and in machine-readable formats', async () => {
    const search = JSON.parse(
      (await shown('risk search alpha --label pool --yes --max-usd 0.001 --json')).out,
    );
    expect(search.payment).toMatchObject({
      usd: '0.001',
      amount: '1000',
      receipt: { network: 'eip155:8453' },
    });
    const pool = search.answer[0].id;
    const found = await shown(`risk dependencies ${pool} --yes --max-usd 1`);
    expect(found).toMatchObject({ code: 0, err: '' });
    expect(found.out).toMatch(/^IT .* GRADE /m);
    const schema = await shown('risk schema --yes --max-usd 0.001 --csv');
    expect(schema.out).toMatch(/^label,property,type,description\nPool,/);
    // The receipt goes to stderr, so stdout contains only the data.
    expect(schema.err).toMatch(/^ {2}paid {5}0\.001 USD /);
  });

  test('behavior: the demo under another host name', async () => {
    const url = server.url.replace('127.0.0.1', 'localhost');
    const { code, err } = await shown(`risk schema --yes --max-usd 0.001 --url ${url}`);
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  test('behavior: --dry-run shows the invoice, pays nothing and needs no key', async () => {
    const paid = await paidBy(async () => {
      const { code, out } = await shown(`risk node ${NODE} --dry-run`);
      expect(code).toBe(0);
      expect(out).toContain('0.05 USD (50000 base units)');
      expect(out).toContain(server.world.payTo.address);
      expect(out).toContain('nothing was paid');
      const programs = await shown(`risk node ${NODE} --dry-run --json`);
      expect(JSON.parse(programs.out).prices).toMatchObject([{ amount: '50000', usd: '0.05' }]);
      expect((await shown(`risk node ${NODE} --dry-run --max-usd 0.01`)).code).toBe(5);
    });
    expect(paid).toBe(0n);
  });

  test('error: an unpaid request reports why, in one line', async () => {
    const { folder, world } = server;
    const keyFile = async (name: string, key: string, mode = 0o600) => {
      const file = join(folder, name);
      await writeFile(file, key);
      await chmod(file, mode);
      return `--key-file ${file}`;
    };
    const buy = `risk node ${NODE}`;
    const yes = '--yes --max-usd 0.05';
    const stranger = await keyFile('stranger', `0x${'42'.repeat(32)}`);
    const open = await keyFile('open', world.wallets[1]!.privateKey, 0o644);
    const cases: [line: string, code: number, words: RegExp, env?: Record<string, string>][] = [
      [`${buy}`, 2, /no terminal to confirm the payment: add --yes and --max-usd/],
      [`${buy} --yes`, 2, /set --max-usd to the maximum price/],
      [`${buy} --max-usd cheap --yes`, 2, /--max-usd must be an amount/],
      [
        `${buy} --yes --max-usd 0.01`,
        5,
        /price is 0\.05 USD, and --max-usd allows 0\.01; nothing was paid: raise --max-usd/,
      ],
      [
        `${buy} ${yes} --pay-to 0x${'11'.repeat(20)}`,
        5,
        /requests payment to 0x\w{40}, but only 0x1{40} is allowed; nothing was paid/,
      ],
      [
        `${buy} ${yes} ${stranger}`,
        5,
        /is not a wallet of the demo, and a payment signed with another key/,
      ],
      [`${buy} ${yes}`, 5, /is not a wallet of the demo/, { ASSAY_PRIVATE_KEY: '42'.repeat(32) }],
      [`${buy} ${yes} ${open}`, 2, /other users can read .*open: run chmod 600/],
      [
        `${buy} ${yes} --key-file ${'42'.repeat(32)}`,
        2,
        /takes a file name; other users can read a key on a command line/,
      ],
      [`${buy} ${yes} --key-file nowhere`, 2, /nowhere cannot be read/],
      [`${buy} ${yes} --url http://127.0.0.1:9`, 5, /treated as the demo/],
      [`${buy} ${yes} --url http://127.0.0.1:9 --real-chain`, 2, /no key to pay with/],
      [`${buy} --dry-run --url http://127.0.0.1:9`, 3, /no server responds/],
      [`${buy} ${yes} --url http://shop.example`, 5, /shop\.example is not paid: .* use https/],
      [`risk node chain:nowhere ${yes}`, 4, /no such node.*\(nothing was charged\)/],
      [`risk dependencies ${NODE} --yes --max-usd 1`, 2, /nodeId.*\(nothing was charged\)/],
    ];
    const paid = await paidBy(async () => {
      for (const [line, code, words, env] of cases) {
        const found = await shown(line, undefined, env);
        expect(found, line).toMatchObject({ code, out: '' });
        expect(found.err.trimEnd(), line).toMatch(words);
        const lines = found.err.trimEnd().split('\n');
        expect(
          lines.filter((text) => !text.includes('is not encrypted')),
          line,
        ).toHaveLength(1);
        expect(found.err, line).not.toContain('42'.repeat(32));
      }
    });
    expect(paid).toBe(0n);
  });

  test('error: a rejected payment reports what to change', async () => {
    const buy = (privateKey: string) =>
      shown(`risk node ${NODE} --yes --max-usd 0.05`, undefined, {
        ASSAY_PRIVATE_KEY: privateKey,
      });
    expect(await buy(server.poor.privateKey)).toEqual({
      code: 5,
      out: '',
      err: "assay: the server rejected the payment (insufficient_funds): the wallet's balance is too low: fund it, or pay from another wallet\n",
    });
    const blocked = await buy(server.world.blockedWallet.privateKey);
    expect(blocked).toMatchObject({ code: 5, out: '' });
    expect(blocked.err).toMatch(/; pay from another wallet \(nothing was charged\)\n$/);
  });

  test('behavior: asks on a terminal, and pays nothing after a no', async () => {
    const answered = (typed: string) =>
      runOnTerminal('risk schema', { columns: 80, typed, env: { ASSAY_URL: server.url } });
    const refused = await paidBy(async () => {
      const { code, out, err } = await answered('n');
      expect({ code, out }).toEqual({ code: 5, out: '' });
      expect(err).toMatch(/Pay 0\.001 USD \(USDC on Base\) to 0x\w{40}\? \[y\/N\]/);
      expect(err).toContain('assay: nothing was paid');
    });
    expect(refused).toBe(0n);
    const agreed = await paidBy(async () => {
      const { code, out } = await answered('y');
      expect(code).toBe(0);
      expect(out).toContain('LIVES_ON');
    });
    expect(agreed).toBe(1_000n);
  });

  test('behavior: an encrypted key, with its password from a file or a prompt', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-keystore-'));
    try {
      const [file, password] = [join(folder, 'key.json'), join(folder, 'password')];
      await writeFile(file, encryptKey(server.world.wallets[2]!.privateKey, 'open sesame'));
      await writeFile(password, 'open sesame\n', { mode: 0o600 });
      const line = `risk schema --yes --max-usd 0.001 --keystore ${file}`;
      const paid = await paidBy(async () => {
        const given = await shown(line, undefined, { ASSAY_KEYSTORE_PASSWORD_FILE: password });
        expect(given).toMatchObject({ code: 0, err: '' });
        const env = { ASSAY_URL: server.url };
        const typed = await runOnTerminal(line, { columns: 80, typed: 'open sesame', env });
        expect(typed).toMatchObject({ code: 0, err: `Password of ${file}: \n` });
      });
      expect(paid).toBe(2_000n);
      const cases: [line: string, words: RegExp, env?: Record<string, string>][] = [
        [line, /is encrypted: set ASSAY_KEYSTORE_PASSWORD_FILE/],
        [line, /cannot be decrypted: The password is wrong/, { ASSAY_KEYSTORE_PASSWORD: 'x' }],
        [`${line}x`, /cannot be read; name a keystore file/],
        [`${line} --key-file ${file}`, /not both/],
      ];
      for (const [wrong, words, env] of cases) {
        const found = await shown(wrong, undefined, env);
        expect(found).toMatchObject({ code: 2, out: '', err: expect.stringMatching(words) });
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('behavior: a server other than the demo: a separate key, and only the recipient of the first payment', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-buyer-'));
    process.chdir(folder);
    try {
      const key = join(folder, 'key');
      await writeFile(key, server.world.wallets[2]!.privateKey, { mode: 0o600 });
      const env = { XDG_STATE_HOME: folder };
      const line = `risk schema --yes --max-usd 0.001 --allow-loopback --key-file ${key}`;
      const first = await shown(line, undefined, env);
      expect(first.code, first.err).toBe(0);
      expect(first.err).toMatch(
        /^assay: the key in .* is not encrypted.*\nFirst payment to 127\.0\.0\.1:\d+\. Its recipient 0x\w{40} is/,
      );

      const store = createFileStore(join(folder, 'assay/spend'));
      const [paid] = await store.getRecords();
      const other = `0x${'22'.repeat(20)}`;
      const record = { ...paid!, id: 'later', payTo: other, at: paid!.at + 1 };
      await store.transact((book) => ({ result: undefined, book: book!, record }));
      const changed = await shown(line, undefined, env);
      expect(changed).toMatchObject({ code: 5, out: '' });
      expect(changed.err).toContain(`but was paid at ${other} before; nothing was paid`);
      const confirmed = await shown(`${line} --pay-to ${paid!.payTo}`, undefined, env);
      expect(confirmed.code, confirmed.err).toBe(0);
    } finally {
      process.chdir(server.folder);
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    }
  });

  test.each([
    '"$@" > /dev/full',
    '( "$@"; exit=$?; echo "exit $exit" >&2; exit $exit ) | head -c 0',
  ])(
    'behavior: a response that %s could not write is fetched again, and paid once',
    async (script) => {
      const line = `risk node ${NODE} --yes --max-usd 0.05`;
      const paid = await paidBy(async () => {
        const lost = await server.through(script, line);
        if (script.includes('/dev/full')) expect(lost.code).toBe(6);
        else expect(lost.err).toContain('\nexit 6\n');
        expect(lost.err).toMatch(/^assay: the output could not be written \(\w+\); run the same/);
        const again = await server.assay(line);
        expect(again).toMatchObject({
          code: 0,
          err: expect.stringMatching(/^resending the payment/),
        });
        expect(again.out).toMatch(/grade [A-F]\n/);
      });
      expect(paid).toBe(PRICE);
    },
  );

  test('behavior: a server killed during a payment: one line, and one charge', async () => {
    const { rpc } = server;
    const line = `risk node protocol:aave-v3 --yes --max-usd 0.05`;
    const paid = await paidBy(async () => {
      await rpc.mode({ kind: 'hang' }, { only: ['eth_sendRawTransaction'] });
      const seen = rpc.requests.length;
      const command = server.begin(line);
      await expect
        .poll(() =>
          rpc.requests.slice(seen).some(({ method }) => method === 'eth_sendRawTransaction'),
        )
        .toBe(true);
      await server.kill();
      expect(await command.exit).toBe(6);
      expect(command.errors()).toMatch(
        /^assay: .* did not report whether the payment was charged; payment \w{32} \(0\.05 USD\) was sent and may be charged until .*never a second one; --replaces \w{32} pays a second time\n$/,
      );
      expect(command.output()).toBe('');
      // While the server is down, the command keeps the payment for later.
      expect((await server.assay(line)).code).toBe(6);

      await rpc.mode({ kind: 'none' });
      await server.start();
      const again = await server.assay(line);
      expect(again).toMatchObject({
        code: 0,
        err: expect.stringMatching(/^resending the payment of .* UTC \(0\.05 USD\)/),
      });
      expect(again.out).toMatch(/grade [A-F]\n/);
      expect(again.out).toMatch(/^ {2}receipt {2}0x\w{64}$/m);
    });
    expect(paid).toBe(PRICE);
  });
});

describe('purchases', () => {
  test('default: lists a purchase, and fetches its response again for free and without a key', async () => {
    const { code, out } = await shown(`risk node ${NODE} --yes --max-usd 0.05 --json`);
    expect(code).toBe(0);
    const { answer, payment } = JSON.parse(out);
    const before = await server.earned();
    const listed = JSON.parse((await shown('spend --state paid --json')).out);
    expect(listed.at(-1)).toMatchObject({
      ...{ id: payment.id, usd: '0.05', book: 'demo', chargeableUntil: null },
      transaction: payment.receipt.transaction,
    });
    const again = await server.assay(`spend refetch ${payment.id}`);
    expect(again).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(again.out)).toEqual(answer);
    const grade = await shown(`spend refetch ${payment.id} --select ._riskTier`);
    expect(grade.out).toMatch(/^[A-F]\n$/);
    expect(await server.earned()).toBe(before);
  });

  test('behavior: sends every payment with an identifier, without which its response is lost after 60 s', async () => {
    const records = await createFileStore('.assay/command-line-spend').getRecords();
    expect(records.length).toBeGreaterThan(5);
    const ids = records.map(({ header }) => {
      const { extensions } = JSON.parse(Buffer.from(header!, 'base64').toString());
      return extensions['payment-identifier'].info.id as string;
    });
    for (const id of ids) expect(id).toMatch(/^pay_\w{32}_\d$/);
    expect(new Set(ids).size).toBe(records.length);
  });
});

describeExitCodes(() => server);

/** Splits a CSV line without line breaks in its cells, at commas outside quotes. */
function cellsOf(line: string): string[] {
  return line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/);
}
