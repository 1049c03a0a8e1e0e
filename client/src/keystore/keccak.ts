const LANE = (1n << 64n) - 1n;
/** Bytes per block, for 256 bits of output. */
const RATE = 136;
const ROTATIONS = [
  [0, 36, 3, 41, 18],
  [1, 44, 10, 45, 2],
  [62, 6, 43, 15, 61],
  [28, 55, 25, 21, 56],
  [27, 20, 39, 8, 14],
];

/** Computes Keccak-256, which node:crypto lacks. Slow, but it hashes only 48 bytes per keystore. */
export function keccak256(input: Uint8Array): Uint8Array {
  const blocks = Math.floor(input.length / RATE) + 1;
  const padded = new Uint8Array(blocks * RATE);
  padded.set(input);
  padded[input.length]! |= 0x01;
  padded[padded.length - 1]! |= 0x80;
  const view = new DataView(padded.buffer);
  let state = Array<bigint>(25).fill(0n);
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < RATE / 8; i++) {
      state[i] = state[i]! ^ view.getBigUint64(block * RATE + 8 * i, true);
    }
    state = permute(state);
  }
  const output = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 4; i++) output.setBigUint64(8 * i, state[i]!, true);
  return new Uint8Array(output.buffer);
}

function permute(start: readonly bigint[]): bigint[] {
  let lanes = [...start];
  const at = (x: number, y: number) => lanes[(x % 5) + 5 * y]!;
  let shift = 1;
  for (let round = 0; round < 24; round++) {
    const parity = [0, 1, 2, 3, 4].map((x) => at(x, 0) ^ at(x, 1) ^ at(x, 2) ^ at(x, 3) ^ at(x, 4));
    lanes = lanes.map(
      (lane, i) => lane ^ parity[(i + 4) % 5]! ^ rotate(parity[((i % 5) + 1) % 5]!, 1),
    );
    const moved = Array<bigint>(25);
    for (let x = 0; x < 5; x++) {
      for (let y = 0; y < 5; y++) {
        moved[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(at(x, y), ROTATIONS[x]![y]!);
      }
    }
    lanes = moved;
    lanes = lanes.map((lane, i) => {
      const y = Math.floor(i / 5);
      return lane ^ (~at((i % 5) + 1, y) & LANE & at((i % 5) + 2, y));
    });
    for (let j = 0; j < 7; j++) {
      if (shift & 1) lanes[0] = lanes[0]! ^ (1n << BigInt(2 ** j - 1));
      shift = (shift << 1) ^ (shift & 0x80 ? 0x171 : 0);
    }
  }
  return lanes;
}

function rotate(lane: bigint, by: number): bigint {
  return ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & LANE;
}
