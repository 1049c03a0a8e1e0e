import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import type { Terminal } from './command.ts';

/** Loads the configuration file of a command. */
export function configOf({ config, env }: Terminal): Config {
  return loadConfig({ file: config, env });
}
