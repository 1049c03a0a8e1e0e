/** Rows a page at a time, each asked for by the last row of the one before. The next comes while one is at work on. */
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
      // A failure is told when the page is looked at; until then nobody waits for it.
      asked.catch(() => undefined);
    }
    yield rows;
  }
}
