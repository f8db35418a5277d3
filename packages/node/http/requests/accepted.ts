interface Range {
  /** In lower case, without parameters. */
  readonly type: string;
  /** 0 to 1. */
  readonly weight: number;
}

/** Quoted texts may have commas and semicolons. */
const RANGE = /(?:"(?:[^"\\]|\\.)*"|[^,"])+/g;
const PARAMETER = /(?:"(?:[^"\\]|\\.)*"|[^;"])+/g;
const WEIGHT = /^q\s*=\s*"?(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)"?$/;

function rangesOf(accept: string): readonly Range[] {
  return (accept.toLowerCase().match(RANGE) ?? []).map((range) => {
    const [type = "", ...parameters] = (range.match(PARAMETER) ?? []).map((part) => part.trim());
    const [, weight] =
      parameters.map((each) => WEIGHT.exec(each)).find((each) => each !== null) ?? [];
    return { type, weight: Number(weight ?? 1) };
  });
}

/** 0 to 1; undefined if not named. Source: RFC 9110 §12.5.1. */
export function namedWeight(accept: string | undefined, type: string): number | undefined {
  const weights = rangesOf(accept ?? "").filter((range) => range.type === type);
  return weights.length === 0 ? undefined : Math.max(...weights.map(({ weight }) => weight));
}

/** A range counts if the type is not named. */
export function acceptedWeight(accept: string | undefined, type: string): number {
  return (
    namedWeight(accept, type) ??
    namedWeight(accept, type.replace(/\/.*/, "/*")) ??
    namedWeight(accept, "*/*") ??
    0
  );
}
