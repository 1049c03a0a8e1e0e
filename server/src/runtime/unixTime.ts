/** The clock on the wall, in whole Unix seconds. */
export function unixTime(): number {
  return Math.floor(Date.now() / 1000);
}
