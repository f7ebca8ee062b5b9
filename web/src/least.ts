// Least squares by reflections (Householder), which bears columns that are almost alike.

import { dot, type Matrix, type Numbers } from "./core";
import { transposed } from "./matrix";

const TINY = 1e-26; // of a squared length

/** The rows of `b` less the best linear map of the rows of `a`: what no matrix can explain. */
export function unexplained(a: Matrix, b: Matrix): Numbers[] {
  const columns = transposed(a);
  const wanted = transposed(b);
  const mirrors: Numbers[] = [];
  for (const column of columns) {
    const whole = dot(column, column);
    mirrors.forEach((mirror) => reflect(column, mirror));
    const mirror = column.slice().fill(0, 0, mirrors.length);
    const rest = dot(mirror, mirror);
    if (rest <= TINY * whole) continue; // it is a sum of those before it, to rounding
    mirror[mirrors.length]! += Math.sign(mirror[mirrors.length]! || 1) * Math.sqrt(rest);
    mirrors.push(mirror);
  }
  for (const column of wanted) {
    mirrors.forEach((mirror) => reflect(column, mirror));
    column.fill(0, 0, mirrors.length);
    [...mirrors].reverse().forEach((mirror) => reflect(column, mirror));
  }
  return transposed(wanted);
}

function reflect(column: Numbers, mirror: Numbers): void {
  const size = dot(mirror, mirror);
  if (size === 0) return;
  const twice = (2 * dot(column, mirror)) / size;
  for (let i = 0; i < column.length; i++) column[i]! -= twice * mirror[i]!;
}
