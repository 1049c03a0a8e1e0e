import { randomUUID } from 'node:crypto';
import { UsageError } from './cli/arguments.ts';
import { describeFailure } from './cli/failure.ts';
import type { Log } from './cli/log.ts';
import { startProgressLines } from './cli/progressLines.ts';
import type { VerifyArguments } from './cli/verifyArguments.ts';
import type { Config } from './config/config.ts';
import { loadSnapshot, poolFamilyOf } from './http/vault/loadSnapshot.ts';
import { getPerformance } from './http/vault/performance.ts';
import { presentSnapshot } from './http/vault/presentSnapshot.ts';
import { OPERATOR_ERRORS } from './operatorErrors.ts';
import { PAYMENT_COMMANDS } from './paymentCommands.ts';
import { createRiskImport, riskGradeCommand, riskShowCommand } from './riskCommands.ts';
import { riskDiffCommand } from './riskDiffCommand.ts';
import type { Store } from './store/store.ts';
import { verify } from './verify/verify.ts';

/** What an operator's command works on: this process's own, or the running server's. */
export interface CommandContext {
  readonly config: Config;
  readonly store: Store;
  readonly log?: Log;
  /** Aborted when the operator has gone. */
  readonly signal?: AbortSignal;
}

/** A command on the store, that works beside a running server too; its arguments and lines pass as JSON and text. */
export interface Command<Args = never> {
  readonly name: string;
  /** The result is the exit code. */
  run(context: CommandContext, args: Args, print: (line: string) => void): Promise<number>;
}

export const verifyCommand: Command<Omit<VerifyArguments, 'command'>> = {
  name: 'verify',
  async run({ config, store, signal }, { family, wallets, seed }, print) {
    const families = config.families.filter(({ slug }) => family === null || slug === family);
    if (families.length === 0) {
      throw new UsageError(`no family ${JSON.stringify(family)} in ${config.file}`);
    }
    const { differences, unchecked } = await verify({
      config,
      families,
      store,
      wallets,
      seed: seed ?? randomUUID().slice(0, 8),
      print,
      ...(signal && { signal }),
      async loadServed(one) {
        const loaded = await loadSnapshot(store, config, one);
        if (loaded === undefined) return undefined;
        const poolFamily = poolFamilyOf(config, one);
        const { stats } = presentSnapshot({ ...loaded, family: one, poolTexts: [] });
        return { stats, poolFamily, poolChains: loaded.poolChains };
      },
      async loadWallet(one, wallet) {
        const now = Math.floor(Date.now() / 1000);
        return (await getPerformance({ config, store }, wallet, [one], now)).families[0];
      },
    });
    return differences === 0 && unchecked === 0 ? 0 : 1;
  },
};

/** Those that a running server takes on its admin port. */
export const COMMANDS: readonly Command[] = [
  verifyCommand,
  createRiskImport({
    describe: (error) => describeFailure(error, OPERATOR_ERRORS).text,
    startProgress: startProgressLines,
  }),
  riskGradeCommand,
  riskShowCommand,
  riskDiffCommand,
  ...PAYMENT_COMMANDS,
];
