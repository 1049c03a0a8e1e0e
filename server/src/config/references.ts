import { REFERENCE_PATTERN } from './schema.ts';

export interface Resolved {
  readonly text: string;
  /** Whether anything came from the environment. */
  readonly used: boolean;
  readonly problems: readonly string[];
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const WHOLE_REFERENCE = new RegExp(`^${REFERENCE_PATTERN}$`);

/**
 * Puts environment variables into a text: `${NAME}` must be set and not empty, `${NAME:-default}` falls back as
 * in a shell. `$${` stands for a literal `${`.
 */
export function resolveReferences(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Resolved {
  const problems: string[] = [];
  let used = false;
  const result = text.replace(/\$\$\{|\$\{[^}]*\}?/g, (found) => {
    if (found === '$${') return '${';
    used = true;
    if (!WHOLE_REFERENCE.test(found)) {
      problems.push(
        `has a broken environment reference; write \${NAME} or \${NAME:-default}, and $\${ for a literal \${`,
      );
      return '';
    }
    const [name = '', ...rest] = found.slice(2, -1).split(':-');
    const value = NAME.test(name) ? env[name] : undefined;
    if (value !== undefined && value !== '') return value;
    if (rest.length > 0) return rest.join(':-');
    const why = value === '' ? 'is empty' : 'is not set';
    problems.push(
      `needs the environment variable ${name}, which ${why}; set it, or give a default as in \${${name}:-default}`,
    );
    return '';
  });
  return { text: result, used, problems };
}
