/** Integers from 0 or 1 to `max`: JSON Schema has no bounds for numbers in texts. */
export function decimalPattern(min: 0n | 1n, max: bigint): string {
  const from1 = fromOneTo(max);
  const all = min === 0n ? ["0", ...from1] : from1;
  return all.length === 1 ? `^${all[0]}$` : `^(${all.join("|")})$`;
}

/** All shorter numbers, then by the first lower digit. */
function fromOneTo(max: bigint): readonly string[] {
  const digits = String(max);
  if (/^9+$/.test(digits)) {
    return [`[1-9]${anyDigits(0, digits.length - 1)}`];
  }
  const shorter = digits.length > 1 ? [`[1-9]${anyDigits(0, digits.length - 2)}`] : [];
  const lower = [...digits].flatMap((digit, index) => {
    const [first, last] = [index === 0 ? 1 : 0, Number(digit) - 1];
    const rest = digits.length - 1 - index;
    return last < first
      ? []
      : [`${shortened(digits.slice(0, index))}${range(first, last)}${anyDigits(rest, rest)}`];
  });
  return [...shorter, ...lower, shortened(digits)];
}

function range(first: number, last: number): string {
  return first === last ? `${first}` : `[${first}-${last}]`;
}

function anyDigits(min: number, max: number): string {
  const count = min === max ? `${max}` : `${min},${max}`;
  return max === 0 ? "" : count === "1" ? "[0-9]" : `[0-9]{${count}}`;
}

function shortened(digits: string): string {
  return digits.replaceAll(/(\d)\1{4,}/g, (run, digit) => `${digit}{${run.length}}`);
}
