/** Returns the current time in Unix seconds. */
export function unixTime(): number {
  return Math.floor(Date.now() / 1000);
}
