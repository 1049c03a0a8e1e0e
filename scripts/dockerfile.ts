import { readFileSync } from 'node:fs';

export interface Instruction {
  /** In upper case. */
  readonly name: string;
  /** Without builder flags such as --mount. */
  readonly text: string;
}

/** Returns the stages of a Dockerfile, each a list of instructions that starts with FROM. */
export function readDockerfile(file: string): Instruction[][] {
  const stages: Instruction[][] = [];
  for (const line of readFileSync(file, 'utf8').replaceAll('\\\n', ' ').split('\n')) {
    const [, name, text] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === undefined) {
      if (/^(#|$)/.test(line)) continue;
      throw new Error(`no instruction: ${line}`);
    }
    if (name === 'FROM') stages.push([]);
    stages.at(-1)!.push({ name, text: text!.replace(/^(--[a-z-]+=\S+ )+/, '') });
  }
  return stages;
}

/** Returns the words of an instruction in exec form, where no shell is between the signal and the program. */
export function execForm(stage: readonly Instruction[], name: string): string[] {
  const text = stage.findLast((one) => one.name === name)?.text;
  return JSON.parse(text?.replace(/^CMD /, '') ?? `there is no ${name}`) as string[];
}
