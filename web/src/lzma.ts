// Expands what Python's lzma packed: raw LZMA with lc = 2, lp = 0, pb = 0, and an end marker.
// After the specification in the LZMA SDK, by Igor Pavlov (public domain).

const STATES = 12;
const CONTEXT = 2; // bits of the byte before that choose a literal's probabilities

// Where each group of probabilities begins.
const MATCH = 0;
const REP = MATCH + STATES;
const REP0 = REP + STATES;
const REP1 = REP0 + STATES;
const REP2 = REP1 + STATES;
const LONG = REP2 + STATES;
const SLOT = LONG + STATES;
const SPECIAL = SLOT + 4 * 64;
const ALIGN = SPECIAL + 128;
const LENGTH = ALIGN + 16;
const REP_LENGTH = LENGTH + 2 + 8 + 8 + 256;
const LITERAL = REP_LENGTH + 2 + 8 + 8 + 256;

export function expand(packed: Uint8Array, size: number): Uint8Array {
  const odds = new Uint16Array(LITERAL + (0x300 << CONTEXT)).fill(1024);
  const out = new Uint8Array(size);
  let [at, range, code] = [0, 0xffffffff, 0];
  const more = () => (code = ((code << 8) | packed[at++]!) >>> 0);
  for (let i = 0; i < 5; i++) more();

  const widen = () => {
    if (range >= 0x1000000) return;
    range = (range << 8) >>> 0;
    more();
  };
  const bit = (i: number): number => {
    const bound = (range >>> 11) * odds[i]!;
    const one = code >= bound;
    if (one) {
      [range, code] = [range - bound, code - bound];
      odds[i]! -= odds[i]! >>> 5;
    } else {
      range = bound;
      odds[i]! += (2048 - odds[i]!) >>> 5;
    }
    widen();
    return Number(one);
  };
  const evenBit = (): number => {
    range >>>= 1;
    const one = code >= range;
    if (one) code -= range;
    widen();
    return Number(one);
  };
  const tree = (base: number, bits: number): number => {
    let node = 1;
    for (let i = 0; i < bits; i++) node = (node << 1) | bit(base + node);
    return node - (1 << bits);
  };
  const backwards = (base: number, bits: number): number => {
    let [node, value] = [1, 0];
    for (let i = 0; i < bits; i++) {
      const found = bit(base + node);
      node = (node << 1) | found;
      value |= found << i;
    }
    return value;
  };
  const length = (base: number): number => {
    if (!bit(base)) return tree(base + 2, 3);
    return bit(base + 1) ? 16 + tree(base + 18, 8) : 8 + tree(base + 10, 3);
  };
  const distance = (long: number): number => {
    const slot = tree(SLOT + 64 * Math.min(long, 3), 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const high = (2 | (slot & 1)) << bits;
    if (slot < 14) return high + backwards(SPECIAL + high - slot, bits);
    let middle = 0;
    for (let i = 4; i < bits; i++) middle = (middle << 1) | evenBit();
    return ((2 | (slot & 1)) * 2 ** bits + middle * 16 + backwards(ALIGN, 4)) >>> 0;
  };

  let [done, state] = [0, 0];
  let reps: [number, number, number, number] = [0, 0, 0, 0];
  while (done < size) {
    if (!bit(MATCH + state)) {
      const base = LITERAL + 0x300 * ((out[done - 1] ?? 0) >>> (8 - CONTEXT));
      let symbol = 1;
      // After a match the byte that follows it is likely not to be the one that followed before.
      let hint = state < 7 ? -1 : out[done - reps[0] - 1]!;
      while (symbol < 0x100) {
        if (hint < 0) {
          symbol = (symbol << 1) | bit(base + symbol);
          continue;
        }
        const due = (hint >> 7) & 1;
        const found = bit(base + ((1 + due) << 8) + symbol);
        symbol = (symbol << 1) | found;
        hint = found === due ? (hint << 1) & 0xff : -1;
      }
      out[done++] = symbol & 0xff;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let count: number;
    if (!bit(REP + state)) {
      count = length(LENGTH);
      const far = distance(count);
      if (far === 0xffffffff) break;
      reps = [far, reps[0], reps[1], reps[2]];
      state = state < 7 ? 7 : 10;
    } else {
      if (!bit(REP0 + state)) {
        if (!bit(LONG + state)) {
          out[done] = out[done - reps[0] - 1]!;
          done++;
          state = state < 7 ? 9 : 11;
          continue;
        }
      } else if (!bit(REP1 + state)) {
        reps = [reps[1], reps[0], reps[2], reps[3]];
      } else if (!bit(REP2 + state)) {
        reps = [reps[2], reps[0], reps[1], reps[3]];
      } else {
        reps = [reps[3], reps[0], reps[1], reps[2]];
      }
      count = length(REP_LENGTH);
      state = state < 7 ? 8 : 11;
    }
    for (let i = count + 2; i > 0; i--) {
      out[done] = out[done - reps[0] - 1]!;
      done++;
    }
  }
  return out;
}
