// Numbers as shorter formats hold them, rounded to the nearest, ties to even.

export type Format = "float32" | "bfloat16" | "float16";

const bits = new DataView(new ArrayBuffer(4));

export function bfloat16(value: number): number {
  if (Number.isNaN(value)) return NaN;
  bits.setFloat32(0, value);
  const whole = bits.getUint32(0);
  bits.setUint32(0, ((whole + 0x7fff + ((whole >>> 16) & 1)) & 0xffff0000) >>> 0);
  return bits.getFloat32(0);
}

export function float16(value: number): number {
  const size = Math.abs(value);
  if (!(size > 0) || size === Infinity) return value;
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  const step = 2 ** (exponent - 10);
  const rounded = even(size / step) * step;
  return Math.sign(value) * (rounded > 65504 ? Infinity : rounded);
}

/** The nearest whole number, the even one of two as near. */
function even(value: number): number {
  const below = Math.floor(value);
  const part = value - below;
  return part > 0.5 || (part === 0.5 && below % 2 === 1) ? below + 1 : below;
}

export const FORMATS: Record<Format, (value: number) => number> = {
  float32: Math.fround,
  bfloat16,
  float16,
};
