// Pictures as data: URLs of at most 255 characters, which is what items and projects may have.

const SHAPES = {
  cup: "M1 2h5v1h2v3H6v1H2V6H1zM6 4v1h1V4z",
  lantern: "M4 0h1v1h2v1H2V1h2zM2 3h5v4H2zM3 8h3v1H3z",
  ship: "M4 0h1l3 5H5v1h4L7 9H2L0 6h4z",
  sword: "M7 0h2v2L5 6l1 1-1 1-1-1-2 2H0V7l2-2-1-1 1-1 1 1z",
  map: "M0 1l3 1 3-1 3 1v7L6 8 3 9 0 8zM3 3v4l3-1V2z",
  potion: "M3 0h3v1H5v2l3 4v1L7 9H2L1 8V7l3-4V1H3z",
  ticket: "M0 2h9v2H8v1h1v2H0V5h1V4H0zM3 3v3h3V3z",
  wave: "M0 5l2-3 2 3 2-3 2 3h1v4H0z",
  shell: "M4 0h1l4 5-2 3H2L0 5zM4 2v5h1V2z",
} as const;

export type Shape = keyof typeof SHAPES;

export const COLOURS = ["b45309", "0f766e", "1d4ed8", "9d174d", "6d28d9", "4d7c0f"] as const;

/** A shape in a colour on a light ground, as SVG. */
export function picture(shape: Shape, colour: string): string {
  const path = `<path fill='#${colour}' d='${SHAPES[shape]}'/>`;
  const ground = `<path fill='#fef3c7' d='M-1-1h11v11H-1z'/>`;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='-1 -1 11 11'>${ground}${path}</svg>`;
  return `data:image/svg+xml,${svg.replaceAll(/[<>#]/g, encodeURIComponent)}`;
}
