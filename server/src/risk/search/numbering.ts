/** Numbers different things 0, 1, 2 … as they are first met. What they are, only the caller knows. */
export interface Numbering {
  readonly count: number;
  /** The number of a thing with this hash for which `isSame` holds. */
  find(hash: number, isSame: (number: number) => boolean): number | undefined;
  add(hash: number): number;
}

export function createNumbering(): Numbering {
  let hashes = new Int32Array(1 << 9);
  // An open hash table: a slot is empty or one more than a number. Never more than half full.
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
