import { findCommand } from '../cli/findCommand.ts';
import { readFlags, takesNext } from '../cli/flags.ts';
import { commandHelp, generalHelp, groupHelp, topicHelp } from '../cli/help.ts';
import { UsageError } from '../cli/usageError.ts';
import type { Command } from './command.ts';
import { COMMANDS, type ListedCommand } from './index.ts';
import { TOPICS, type Topic } from './topics.ts';

/** The parsed command line. */
export type CommandLine =
  | {
      readonly name: string;
      readonly command: Command;
      /** The result of the command's `read`. */
      readonly args: unknown;
      readonly config: string;
    }
  | { readonly name: 'help'; readonly text: string }
  | { readonly name: 'version' };

const NAMES = COMMANDS.map(({ name }) => name);

/** Parses the arguments after `assay`. */
export async function readCommandLine(words: readonly string[]): Promise<CommandLine> {
  const [first, ...after] = words;
  if (first === undefined) {
    throw new UsageError('specify a command, for example "assay vaults"; "assay help" lists them');
  }
  if (first === '--version' || first === '-v') return { name: 'version' };
  if (isHelp(first)) return { name: 'help', text: generalHelp(COMMANDS) };
  if (first === 'help') return help(after);
  if (after.length === 1 && isHelp(after[0]!) && !NAMES.includes(first)) return help([first]);
  const { listed, rest } = find(words);
  const { command } = await listed.load();
  if (command.readLine !== undefined && !isHelp(rest[0] ?? '')) {
    const args = await command.readLine(rest);
    return { name: listed.name, command, args, config: 'assay.yaml' };
  }
  const { argument, others } = takeArgument(command, rest);
  const flags = readFlags(listed.name, command.flags, others);
  if (flags === 'help') return { name: 'help', text: commandHelp(listed, command) };
  const args = command.read(flags, argument);
  return { name: listed.name, command, args, config: flags.get('config') ?? 'assay.yaml' };
}

/** Separates the argument from the flags, which may come before or after it. */
function takeArgument({ argument, flags }: Command, words: readonly string[]) {
  for (let i = 0; argument !== undefined && i < words.length; i++) {
    const word = words[i]!;
    if (!word.startsWith('-')) return { argument: word, others: words.toSpliced(i, 1) };
    if (Object.hasOwn(flags, word.slice(2)) && takesNext(flags[word.slice(2)]!, words[i + 1])) i++;
  }
  return { argument: undefined, others: words };
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

async function help(topic: readonly string[]): Promise<CommandLine> {
  const [first] = topic;
  if (first === undefined) return { name: 'help', text: generalHelp(COMMANDS) };
  const shared = TOPICS.find(({ name }) => name === first);
  if (shared !== undefined) return { name: 'help', text: await explainTopic(shared) };
  const below = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (topic.length === 1 && below.length > 0 && !NAMES.includes(first))
    return { name: 'help', text: groupHelp(first, below) };
  const { listed } = find(topic);
  return { name: 'help', text: commandHelp(listed, (await listed.load()).command) };
}

async function explainTopic({ name, details, command }: Topic): Promise<string> {
  const { flags } = (await find(command.split(' ')).listed.load()).command;
  const shared = Object.entries(flags).filter(([, { topic }]) => topic === name);
  return topicHelp(details, shared);
}

function find(words: readonly string[]): {
  readonly listed: ListedCommand;
  readonly rest: readonly string[];
} {
  const { name, rest } = findCommand(words, NAMES);
  return { listed: COMMANDS.find((one) => one.name === name)!, rest };
}
