import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runOnServer, ServerTakesNoCommand } from './adminClient.ts';
import { writeAdminAccess } from './adminFile.ts';
import type { ImportStep } from './importProgress.ts';
import { readProgressLine, startProgressLines } from './progressLines.ts';

const PID = 4_242;
let folder: string;
let server: Server | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-admin-'));
});
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
});

async function run(listener: RequestListener) {
  server = createServer(listener);
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await writeAdminAccess(folder, { pid: PID, port, token: 'a-token-of-this-very-test' });
  const seen: string[] = [];
  const bar = {
    update: ({ phase, done, total }: ImportStep) => seen.push(`bar ${phase} ${done}/${total}`),
    clear: () => {},
  };
  const code = await runOnServer({
    ...{ folder, pid: PID, name: 'risk import', args: { from: 'ä' }, bar },
    print: (line) => seen.push(line),
    printError: (line) => seen.push(`error ${line}`),
  });
  return { code, seen };
}

describe('runOnServer', () => {
  test('default: prints lines as they arrive, shows progress on the bar, and returns the result', async () => {
    let asked = '';
    const { code, seen } = await run((request, response) => {
      asked = `${request.method} ${request.url} ${request.headers.authorization} `;
      request.setEncoding('utf8').on('data', (part) => {
        asked += part;
      });
      const print = (line: string) => response.write(`${line}\n`);
      const step = startProgressLines(print, () => 0);
      request.on('end', () => {
        step({ source: 'pools', phase: 'reading', done: 1, total: null });
        print('left out: nothing');
        step({ source: 'pools', phase: 'reading', done: 2, total: null });
        step({ source: 'pools', phase: 'storing', done: 2, total: 2 });
        // A character of two bytes, split between two chunks.
        response.write(Buffer.from([0xc3]));
        response.end(Buffer.from([0xa4, ...Buffer.from('\n{"exitCode":3,"error":"no"}\n')]));
      });
    });
    expect(asked).toBe(
      'POST /commands/risk%20import Bearer a-token-of-this-very-test {"from":"ä"}',
    );
    expect(code).toBe(3);
    expect(seen).toEqual([
      'bar reading 1/null',
      'bar storing 2/2',
      'left out: nothing',
      'ä',
      'error no',
    ]);
  });

  test('error: a server that ends before its command', async () => {
    const broken = run((_request, response) => {
      response.write('so far\n', () => response.destroy());
    });
    await expect(broken).rejects.toThrow('ended before the command did');
  });

  test('error: a server that lacks the command, or is unreachable', async () => {
    const unknown = run((_request, response) => {
      response.writeHead(404).end('{}');
    });
    await expect(unknown).rejects.toThrow('does not support risk import');
    await new Promise((resolve) => server!.close(resolve));
    const command = { folder, pid: PID, name: 'x', args: {}, print() {}, printError() {} };
    await expect(runOnServer(command)).rejects.toThrow(ServerTakesNoCommand);
  });
});

describe('startProgressLines', () => {
  test('behavior: a line of a command is not read as progress', () => {
    expect(readProgressLine('{"source":"pools"}')).toBeUndefined();
    expect(readProgressLine('')).toBeUndefined();
  });
});
