import { verifyCommand } from '../../src/commands.ts';
import { parseConfig } from '../../src/config/load.ts';
import type { Store } from '../../src/store/store.ts';
import { configOf, type Scenario } from './scenario.ts';

/** What the product's own second path finds different, or cannot check, beside a server that has caught up. */
export async function verified(store: Store, scenario: Scenario): Promise<string[]> {
  const config = parseConfig({ file: 'scenario.yaml', text: configOf(scenario), env: {} });
  const lines: string[] = [];
  const args = { family: null, wallets: 1000, seed: 'scenario' };
  await verifyCommand.run({ config, store }, args, (line) => lines.push(line));
  return lines.filter((line) => /^(DIFFERENT|NOT CHECKED) /.test(line));
}
