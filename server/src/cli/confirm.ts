import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks a yes-or-no question; anything but y means no. */
export async function confirm(
  question: string,
  io: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream },
): Promise<boolean> {
  const lines = createInterface(io);
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const answer = await Promise.race([lines.question(`${question} [y/N] `), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

/** Prompts for a secret without echoing the input. */
export async function askHidden(
  question: string,
  io: { readonly input: NodeJS.ReadableStream; readonly errors: NodeJS.WritableStream },
): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  // In terminal mode, readline turns off the terminal's echo.
  const lines = createInterface({
    input: io.input,
    output: hidden,
    terminal: true,
    historySize: 0,
  });
  try {
    io.errors.write(question);
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return await Promise.race([lines.question(''), ended]);
  } finally {
    lines.close();
    io.errors.write('\n');
  }
}
