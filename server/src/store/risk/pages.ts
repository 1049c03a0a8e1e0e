/**
 * Rows a page at a time, each requested by the last row of the one before. The next page is read while the caller
 * processes one.
 */
export async function* pagesOf<Row>(
  size: number,
  ask: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let asked = ask(undefined);
  for (let more = true; more; ) {
    const rows = await asked;
    more = rows.length === size;
    if (more) {
      asked = ask(rows.at(-1));
      // A failure surfaces when the page is awaited; until then, nothing handles it.
      asked.catch(() => undefined);
    }
    yield rows;
  }
}
