/** No file can be written from what was given; one line that says why. */
export class InitRefused extends Error {
  override readonly name = 'InitRefused';
}
