/** A release cannot be prepared. The message is one line that gives the fix. */
export class ReleaseError extends Error {
  name = 'ReleaseError';
}
