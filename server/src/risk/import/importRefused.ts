import type { RiskSource } from '../../domain/risk/record.ts';

/** Several times the longest real list. One source's records are in memory at once, and are graded together. */
export const MAX_ENTRIES = 150_000;

/** The import was not carried out; nothing changed. */
export class ImportRefused extends Error {
  override readonly name: string = 'ImportRefused';
  readonly source: RiskSource;

  constructor(source: RiskSource, reason: string) {
    super(`${source}: ${reason}`);
    this.source = source;
  }
}

/** The import would empty a source. A truncated file is more likely. */
export class ImportLosesMost extends ImportRefused {
  override readonly name = 'ImportLosesMost';

  constructor(source: RiskSource, read: number, held: number) {
    super(
      source,
      read === 0
        ? `nothing could be read, so nothing was changed; check the file, or add --force to remove what is held (${held})`
        : `only ${read} of the ${held} held nodes were read, so nothing was changed; check that the file is complete, or add --force to remove the others`,
    );
  }
}

export class ImportTooLarge extends ImportRefused {
  override readonly name = 'ImportTooLarge';

  constructor(source: RiskSource, most: number) {
    super(
      source,
      `the list has more than ${most} entries or nodes, so nothing was changed; check that it is the right one, or leave out what matters least`,
    );
  }
}

export class ImportStopped extends ImportRefused {
  override readonly name = 'ImportStopped';

  constructor(source: RiskSource) {
    super(source, 'the import was stopped before its end, so nothing was changed');
  }
}
