import { findCommand } from '../cli/findCommand.ts';
import { readFlags } from '../cli/flags.ts';
import { commandHelp, generalHelp, groupHelp } from '../cli/help.ts';
import { UsageError } from '../cli/usageError.ts';
import type { Command } from './command.ts';
import { COMMANDS, type ListedCommand } from './index.ts';

/** What the operator asked for. */
export type CommandLine =
  | {
      readonly name: string;
      readonly command: Command;
      /** As the command's own `read` gave them. */
      readonly args: unknown;
      /** The configuration file. */
      readonly config: string;
    }
  | { readonly name: 'help'; readonly text: string }
  | { readonly name: 'version' };

const NAMES = COMMANDS.map(({ name }) => name);

/** Reads what follows `assay` on the command line. */
export async function readCommandLine(words: readonly string[]): Promise<CommandLine> {
  const [first, ...after] = words;
  if (first === undefined) {
    throw new UsageError('say what to do, for example "assay vaults"; "assay help" lists all');
  }
  if (first === '--version' || first === '-v') return { name: 'version' };
  if (isHelp(first)) return { name: 'help', text: generalHelp(COMMANDS) };
  if (first === 'help') return help(after);
  if (after.length === 1 && isHelp(after[0]!) && !NAMES.includes(first)) return help([first]);
  const { listed, rest } = find(words);
  const { command } = await listed.load();
  const { argument, others } = takeArgument(command, rest);
  const flags = readFlags(listed.name, command.flags, others);
  if (flags === 'help') return { name: 'help', text: commandHelp(listed, command) };
  const args = command.read(flags, argument);
  return { name: listed.name, command, args, config: flags.get('config') ?? 'assay.yaml' };
}

/** The word that some commands take besides flags, before or after them. */
function takeArgument({ argument, flags }: Command, words: readonly string[]) {
  for (let i = 0; argument !== undefined && i < words.length; i++) {
    const word = words[i]!;
    if (!word.startsWith('-')) return { argument: word, others: words.toSpliced(i, 1) };
    // The word after it is its value.
    if (Object.hasOwn(flags, word.slice(2)) && flags[word.slice(2)]!.value !== undefined) i++;
  }
  return { argument: undefined, others: words };
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

async function help(topic: readonly string[]): Promise<CommandLine> {
  if (topic.length === 0) return { name: 'help', text: generalHelp(COMMANDS) };
  const below = COMMANDS.filter(({ name }) => name.startsWith(`${topic[0]} `));
  if (topic.length === 1 && below.length > 0)
    return { name: 'help', text: groupHelp(topic[0]!, below) };
  const { listed } = find(topic);
  return { name: 'help', text: commandHelp(listed, (await listed.load()).command) };
}

function find(words: readonly string[]): {
  readonly listed: ListedCommand;
  readonly rest: readonly string[];
} {
  const { name, rest } = findCommand(words, NAMES);
  return { listed: COMMANDS.find((one) => one.name === name)!, rest };
}
