/** Where a key is. */
export interface Place {
  /** The file, if the configuration is a folder; absent: the configuration itself. */
  readonly file?: string;
  /** Line in the file, from 1; null for the entire file or the environment. */
  readonly line: number | null;
  /** The key in its file, such as families[0].chains[1].role; empty for the entire file. */
  readonly path: string;
}

/** A problem: its location, and a sentence that states what is right. */
export interface ConfigProblem extends Place {
  readonly message: string;
}

/** Every problem of a configuration. No command may start with it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly file: string;
  readonly problems: readonly ConfigProblem[];

  constructor(file: string, problems: readonly ConfigProblem[]) {
    const shown = problems.map((problem) => {
      return { ...problem, path: printable(problem.path), message: printable(problem.message) };
    });
    super(shown.map((problem) => problemText(file, problem)).join('\n'));
    this.file = file;
    this.problems = shown;
  }
}

/** One line each, without URLs: keys and values of an invalid file may be anything. */
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"';,)]+/gi, '[url]');
}

function problemText(
  config: string,
  { file = config, line, path, message }: ConfigProblem,
): string {
  const place = line === null ? file : `${file}:${line}`;
  return path === '' ? `${place}: ${message}` : `${place}: ${path} ${message}`;
}

/** families + 0 → families[0]; families[0] + slug → families[0].slug. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** families[0].slug → families[0] → families → nothing. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('[')));
}

/**
 * The location of a second key in a message about a first: "line 3", or its file and line if they are in different
 * files.
 */
export function seenFrom(first: Place, second: Place): string {
  if (second.file === first.file) return `line ${second.line}`;
  return second.line === null ? `${second.file}` : `${second.file}:${second.line}`;
}
