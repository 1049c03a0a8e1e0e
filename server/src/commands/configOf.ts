import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import type { Terminal } from './command.ts';

/** What the configuration file of a command says. */
export function configOf({ config, env }: Terminal): Config {
  return loadConfig({ file: config, env });
}
