import { readFileSync } from 'node:fs';

export interface Instruction {
  /** In capitals. */
  readonly name: string;
  /** Without the flags of the builder, such as --mount. */
  readonly text: string;
}

/** The stages of a Dockerfile, each a list of instructions that begins with FROM. */
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

/** The words of an instruction in exec form, in which no shell stands between the signal and the program. */
export function execForm(stage: readonly Instruction[], name: string): string[] {
  const text = stage.findLast((one) => one.name === name)?.text;
  return JSON.parse(text?.replace(/^CMD /, '') ?? `there is no ${name}`) as string[];
}
