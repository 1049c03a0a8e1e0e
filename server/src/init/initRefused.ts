/** No file can be written from the input; the message says why, in one line. */
export class InitRefused extends Error {
  override readonly name = 'InitRefused';
}
