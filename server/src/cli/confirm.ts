import { createInterface } from 'node:readline/promises';

/** Asks a question that is answered with y or n; anything but y is no. */
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
