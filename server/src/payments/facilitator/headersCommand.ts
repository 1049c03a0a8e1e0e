import { execFile } from 'node:child_process';

/** By lower-case name. */
export type HeaderValues = Readonly<Record<string, string>>;

/** One request to the service. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
}

/** The operator's program returned no headers; nothing was sent. Its output may contain a secret and is not shown. */
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

const MAX_BYTES = 16_384;
/** Concurrent programs; further requests wait. */
const MAX_CONCURRENT = 8;
const TIMEOUT_MS = 10_000;
const LINE = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):[ \t]*([\x20-\x7e]+?)[ \t]*$/;

/**
 * Runs the program once for each request, without a shell. It gets the method and URL as environment variables and
 * prints one header per line: `Authorization: Bearer …`.
 */
export function createHeadersCommand(
  [program, ...words]: readonly string[],
  timeoutMs = TIMEOUT_MS,
): (request: ServiceRequest) => Promise<HeaderValues> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (request) => {
    if (running >= MAX_CONCURRENT) await new Promise<void>((go) => waiting.push(go));
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
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_BYTES,
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
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `prints more than ${MAX_BYTES} bytes`;
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
