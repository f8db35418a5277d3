/** Source: C2SP tlog-tiles. */
export const TILE_HEIGHT = 8;
export const TILE_WIDTH: number = 2 ** TILE_HEIGHT;

/** `width` hashes of a tile level, from number `index * 256` on. Source: C2SP tlog-tiles. */
export interface TileName {
  readonly index: number;
  readonly width: number;
}

const NAME = /^((?:x[0-9]{3}\/)*)([0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/;

const NAME_LENGTH_MAX = 40;

/** Such as `x001/x234/067` or `000.p/12`. Source: C2SP tlog-tiles. */
export function parseTileName(text: string): TileName | undefined {
  const [, groups = "", last = "", widthText] =
    (text.length <= NAME_LENGTH_MAX ? NAME.exec(text) : undefined) ?? [];
  const width = widthText === undefined ? TILE_WIDTH : Number(widthText);
  const index = Number(groups.replaceAll(/[x/]/g, "") + last);
  const name = { index, width };
  // No leading group of zeros, and no partial tile that is full.
  return Number.isSafeInteger(index * TILE_WIDTH) &&
    (widthText === undefined || width < TILE_WIDTH) &&
    last !== "" &&
    tileNameText(name) === text
    ? name
    : undefined;
}

export function tileNameText({ index, width }: TileName): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, "0");
  const groups = padded.match(/.{3}/g) ?? [];
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join("/");
  return width === TILE_WIDTH ? path : `${path}.p/${width}`;
}
