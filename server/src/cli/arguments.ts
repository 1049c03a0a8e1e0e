import { findCommand } from './findCommand.ts';
import { type FlagValues, readFlags } from './flags.ts';
import { COMMANDS, type CommandName, commandHelp, generalHelp } from './help.ts';
import { type ImportLegacyArguments, readImportLegacy } from './importLegacyArguments.ts';
import { type InitArguments, readInit } from './initArguments.ts';
import {
  type PaymentsArguments,
  readPaymentsRefund,
  readPaymentsReport,
} from './paymentsArguments.ts';
import {
  type RiskDiffArguments,
  type RiskGradeArguments,
  type RiskImportArguments,
  type RiskShowArguments,
  readRiskDiff,
  readRiskImport,
  readRiskShow,
} from './riskArguments.ts';
import { UsageError } from './usageError.ts';
import { readVerify, type VerifyArguments } from './verifyArguments.ts';

export { UsageError } from './usageError.ts';

/** What the operator asked for. */
export type CommandLine =
  | (CommandArguments & { readonly config: string })
  | { readonly command: 'help'; readonly text: string }
  | { readonly command: 'version' };

/** A command with flags of its own has a file of its own that reads them. */
type CommandArguments =
  | { readonly command: ServerCommand }
  | ImportLegacyArguments
  | InitArguments
  | PaymentsArguments
  | RiskDiffArguments
  | RiskGradeArguments
  | RiskImportArguments
  | RiskShowArguments
  | VerifyArguments;

export type ServerCommand = 'start' | 'serve' | 'index' | 'migrate' | 'check';

const NAMES = Object.keys(COMMANDS) as CommandName[];

/** Reads what follows `assay` on the command line. */
export function readArguments(words: readonly string[]): CommandLine {
  const [first, ...after] = words;
  if (first === undefined) {
    throw new UsageError(`say what to do: ${NAMES.join(', ')}; "assay help" explains each`);
  }
  if (first === '--version' || first === '-v') return { command: 'version' };
  if (first === '--help' || first === '-h') return { command: 'help', text: generalHelp() };
  if (first === 'help') return help(after);
  const { name, rest } = findCommand(words, NAMES);
  const { argument, others } = takeArgument(name, rest);
  const flags = readFlags(name, COMMANDS[name].flags, others);
  if (flags === 'help') return { command: 'help', text: commandHelp(name) };
  return { ...readOwn(name, flags, argument), config: flags.get('config') ?? 'assay.yaml' };
}

/** The word that some commands take besides flags; it follows the command at once. */
function takeArgument(name: CommandName, words: readonly string[]) {
  const [first] = words;
  if (!('argument' in COMMANDS[name]) || first === undefined || first.startsWith('-')) {
    return { argument: undefined, others: words };
  }
  return { argument: first, others: words.slice(1) };
}

function readOwn(
  name: CommandName,
  flags: FlagValues,
  argument: string | undefined,
): CommandArguments {
  switch (name) {
    case 'init':
      return readInit(flags);
    case 'import-legacy':
      return readImportLegacy(flags);
    case 'verify':
      return readVerify(flags);
    case 'risk diff':
      return readRiskDiff(flags);
    case 'risk import':
      return readRiskImport(flags);
    case 'risk show':
      return readRiskShow(argument);
    case 'payments report':
      return readPaymentsReport(flags);
    case 'payments refund':
      return readPaymentsRefund(argument, flags);
    default:
      return { command: name };
  }
}

function help(topic: readonly string[]): CommandLine {
  const text = topic.length === 0 ? generalHelp() : commandHelp(findCommand(topic, NAMES).name);
  return { command: 'help', text };
}
