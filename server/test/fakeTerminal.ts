import { PassThrough } from 'node:stream';
import { describeFailure } from '../src/cli/failure.ts';
import { readCommandLine } from '../src/commands/commandLine.ts';

export interface Shown {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a line as on a terminal with this many columns, or without columns as in a pipe. */
export async function runOnTerminal(
  line: string,
  {
    columns,
    env = {},
    typed,
  }: {
    readonly columns?: number;
    readonly env?: Readonly<Record<string, string>>;
    /** The answer typed at a prompt. If undefined, the input is not interactive. */
    readonly typed?: string;
  } = {},
): Promise<Shown> {
  let [out, err] = ['', ''];
  const isTTY = columns !== undefined;
  const output = stream((text) => {
    out += text;
  });
  const errors = stream((text) => {
    err += text;
  });
  const input = new PassThrough();
  if (typed !== undefined) input.end(`${typed}\n`);
  const code = await run().catch((error: unknown) => {
    // Reports failures as the program does.
    const failure = describeFailure(error, []);
    errors.write(`${failure.text}\n`);
    return failure.exitCode;
  });
  return { code, out, err };

  async function run(): Promise<number> {
    const read = await readCommandLine(line.split(' ').filter((word) => word !== ''));
    if (!('command' in read)) throw new Error(`${line} asks for no command`);
    return read.command.run(read.args, {
      config: read.config,
      version: 'test',
      env,
      input: Object.assign(input, { isTTY: typed !== undefined }),
      output,
      errors: errors as unknown as NodeJS.WriteStream,
      print: (text) => void output.write(`${text}\n`),
      flush: () => Promise.resolve(),
    });
  }

  function stream(hear: (text: string) => void) {
    const write = (text: string) => {
      hear(text);
      return true;
    };
    return Object.assign(new PassThrough(), { write }, isTTY ? { isTTY, columns, rows: 24 } : {});
  }
}
