import { REFERENCE_PATTERN } from './schema.ts';
import { type Environment, readVariable, type Variable } from './variables.ts';

export interface Resolved {
  readonly text: string;
  /** Whether a value came from the environment. */
  readonly used: boolean;
  readonly problems: readonly string[];
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const WHOLE_REFERENCE = new RegExp(`^${REFERENCE_PATTERN}$`);

/**
 * Replaces environment references in a text: `${NAME}` must be set and not empty, `${NAME:-default}` falls back as in
 * a shell. `$${` is a literal `${`. A value may also come from the file that `NAME_FILE` names: see variables.ts.
 */
export function resolveReferences(text: string, env: Environment): Resolved {
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
    const { value, problem }: Variable = NAME.test(name) ? readVariable(env, name) : {};
    if (problem !== undefined) {
      problems.push(`needs the environment variable ${problem.name}, which ${problem.message}`);
      return '';
    }
    if (value !== undefined && value !== '') return value;
    if (rest.length > 0) return rest.join(':-');
    const why = value === '' ? 'is empty' : 'is not set';
    problems.push(
      `needs the environment variable ${name}, which ${why}; set it or ${name}_FILE, or give a default as in \${${name}:-default}`,
    );
    return '';
  });
  return { text: result, used, problems };
}
