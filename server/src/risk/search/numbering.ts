/** Numbers unique items 0, 1, 2 … in order of arrival. The caller compares them. */
export interface Numbering {
  readonly count: number;
  /** Returns the number of the item with this hash for which `isSame` returns true. */
  find(hash: number, isSame: (number: number) => boolean): number | undefined;
  add(hash: number): number;
}

export function createNumbering(): Numbering {
  let hashes = new Int32Array(1 << 9);
  // An open hash table: a slot contains 0 if empty, else a number plus one. Never more than half full.
  let slots = new Uint32Array(1 << 10);
  let count = 0;

  function emptySlot(hash: number): number {
    const last = slots.length - 1;
    let slot = hash & last;
    while (slots[slot] !== 0) slot = (slot + 1) & last;
    return slot;
  }

  function grow(): void {
    const fewer = hashes;
    hashes = new Int32Array(fewer.length * 2);
    hashes.set(fewer);
    slots = new Uint32Array(slots.length * 2);
    for (let number = 0; number < count; number++) slots[emptySlot(hashes[number]!)] = number + 1;
  }

  return {
    get count() {
      return count;
    },
    find(hash, isSame) {
      const last = slots.length - 1;
      for (let slot = hash & last; slots[slot] !== 0; slot = (slot + 1) & last) {
        const number = slots[slot]! - 1;
        if (hashes[number] === hash && isSame(number)) return number;
      }
      return undefined;
    },
    add(hash) {
      if (count === hashes.length) grow();
      slots[emptySlot(hash)] = count + 1;
      hashes[count] = hash;
      return count++;
    },
  };
}
