export function codePointCount(text: string): number {
  return codePointsUpTo(text, text.length);
}

export function codePointsUpTo(text: string, end: number): number {
  let count = 0;
  for (let at = 0; at < end; count += 1) {
    // Only a high surrogate can be the first half of a pair.
    const isHigh = (text.charCodeAt(at) & 0xfc00) === 0xd800;
    const isPair = isHigh && at + 1 < end && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    at += isPair ? 2 : 1;
  }
  return count;
}

export function hasAtMost(text: string, max: number): boolean {
  // No text has more code points than code units, nor fewer than half as many.
  return text.length <= max || (text.length <= 2 * max && codePointCount(text) <= max);
}

export function firstCodePoints(whole: string, count: number): string {
  if (whole.length <= count) {
    return whole;
  }
  let end = 0;
  for (let points = 0; points < count && end < whole.length; points += 1) {
    end += (whole.codePointAt(end) as number) > 0xffff ? 2 : 1;
  }
  return whole.slice(0, end);
}
