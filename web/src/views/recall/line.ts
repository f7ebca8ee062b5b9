// A line of numbers with a guess on it, and with what is so once that is known.

const HEIGHT = 52;

/** As SVG; places are shares of its width, so that it fits above a slider of any width. */
export function line(
  low: number, high: number, guess: number, due: number | undefined, show: (value: number) => string,
): string {
  const at = (value: number) => (100 * (value - low)) / (high - low);
  const text = (value: number, y: number, colour: string, sign = "") => {
    const anchor = at(value) < 8 ? "start" : at(value) > 92 ? "end" : "middle";
    const place = `x="${at(value)}%" y="${y}" text-anchor="${anchor}"`;
    return `<text ${place} fill="var(--${colour})">${sign}${show(value)}</text>`;
  };
  const tick = (value: number) =>
    `<line x1="${at(value)}%" x2="${at(value)}%" y1="22" y2="30" stroke="var(--faint)"/>`;
  const parts = [
    `<line x1="0" x2="100%" y1="26" y2="26" stroke="var(--faint)"/>`, tick(low), tick(high),
    `<circle cx="${at(guess)}%" cy="26" r="7" fill="var(--paper)" stroke="var(--ink)" stroke-width="2"/>`,
    text(guess, 14, "ink"),
  ];
  if (due !== undefined) {
    const [from, to] = [Math.min(at(guess), at(due)), Math.max(at(guess), at(due))];
    parts.unshift(`<rect x="${from}%" width="${to - from}%" y="22" height="8" fill="var(--line)"/>`);
    const mark = `<rect x="${at(due)}%" y="19" width="3" height="14" fill="var(--mark)"/>`;
    parts.push(mark, text(due, 48, "mark", "✓ "));
  } else {
    parts.push(text(low, 48, "faint"), text(high, 48, "faint"));
  }
  return `<svg class="line" aria-hidden="true" height="${HEIGHT}">${parts.join("")}</svg>`;
}
