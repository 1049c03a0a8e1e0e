/** Standard output did not accept the output. */
export class OutputLost extends Error {
  override readonly name = 'OutputLost';

  constructor(cause: NodeJS.ErrnoException) {
    super(`the output could not be written (${cause.code ?? 'unknown error'})`, { cause });
  }
}
