import { execFile } from 'node:child_process';

/** By name in lower case. */
export type HeaderValues = Readonly<Record<string, string>>;

/** One request to the service. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
}

/** The operator's program gave no headers; nothing was sent. Its own words may hold a secret and are not told. */
export class HeadersCommandFailed extends Error {
  override readonly name = 'HeadersCommandFailed';

  constructor(reason: string) {
    super(
      `payments.facilitator.headersCommand ${reason}: run it by hand with FACILITATOR_METHOD and FACILITATOR_URL set, as this server does, and correct it`,
    );
  }

  get safeText(): string {
    return this.message;
  }
}

const MOST_BYTES = 16_384;
/** Programs in flight at once; more requests wait. */
const MOST_AT_ONCE = 8;
const PATIENCE_MS = 10_000;
const LINE = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):[ \t]*([\x20-\x7e]+?)[ \t]*$/;

/**
 * Runs the program once for each request, without a shell. It finds method and URL in its environment, and prints a
 * header on each line: `Authorization: Bearer …`.
 */
export function createHeadersCommand(
  [program, ...words]: readonly string[],
  patienceMs = PATIENCE_MS,
): (request: ServiceRequest) => Promise<HeaderValues> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (request) => {
    if (running >= MOST_AT_ONCE) await new Promise<void>((go) => waiting.push(go));
    else running++;
    try {
      return readHeaders(await run(request));
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };

  function run({ method, url }: ServiceRequest): Promise<string> {
    const env = { ...process.env, FACILITATOR_METHOD: method, FACILITATOR_URL: url };
    const options = {
      env,
      timeout: patienceMs,
      killSignal: 'SIGKILL',
      maxBuffer: MOST_BYTES,
    } as const;
    return new Promise((resolve, reject) => {
      execFile(program!, words, options, (error, printed) => {
        if (error === null) resolve(printed);
        else reject(new HeadersCommandFailed(reasonOf(error)));
      });
    });
  }
}

function reasonOf({ code, killed }: { code?: unknown; killed?: boolean }): string {
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `prints more than ${MOST_BYTES} bytes`;
  if (killed) return 'does not end in time';
  if (code === 'ENOENT') return 'names a program that is not there';
  if (code === 'EACCES') return 'names a program that this user may not run';
  return typeof code === 'number' ? `ends with exit code ${code}` : 'was ended by a signal';
}

function readHeaders(printed: string): HeaderValues {
  const lines = printed.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length === 0) throw new HeadersCommandFailed('prints nothing');
  const headers = lines.map((line) => {
    const [, name, value] = LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new HeadersCommandFailed('prints a line that is no header, such as "Name: value"');
    }
    return [name.toLowerCase(), value] as const;
  });
  return Object.fromEntries(headers);
}
