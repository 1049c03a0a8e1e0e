/** Sorts in place. Usually there are only a few numbers, which insertion sorts fastest. */
export function sortPart(
  order: Uint32Array,
  start: number,
  end: number,
  compare: (a: number, b: number) => number,
): void {
  if (end - start > 32) {
    order.subarray(start, end).sort(compare);
    return;
  }
  for (let i = start + 1; i < end; i++) {
    const own = order[i]!;
    let at = i;
    for (; at > start && compare(own, order[at - 1]!) < 0; at--) order[at] = order[at - 1]!;
    order[at] = own;
  }
}
