import type { RiskSource } from '../../domain/risk/record.ts';

/** An import that would empty a source: more often a truncated file than the truth. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
  readonly source: RiskSource;

  constructor(source: RiskSource, read: number, held: number) {
    super(
      read === 0
        ? `${source}: nothing could be read, so nothing was changed; check the file, or add --force to remove what is held (${held})`
        : `${source}: only ${read} of the ${held} held nodes were read, so nothing was changed; check that the file is complete, or add --force to remove the others`,
    );
    this.source = source;
  }
}
