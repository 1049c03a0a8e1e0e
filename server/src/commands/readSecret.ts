import { UsageError } from '../cli/usageError.ts';
import { type Environment, readVariable } from '../config/variables.ts';

/** Reads a secret from the environment or from a file: see config/variables.ts. */
export function readSecret(env: Environment, name: string): string | undefined {
  const { value, problem } = readVariable(env, name);
  if (problem === undefined) return value;
  throw new UsageError(`environment variable ${problem.name} ${problem.message}`);
}
