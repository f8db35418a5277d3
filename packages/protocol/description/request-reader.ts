import type { Texts } from "../keys/signed-string.ts";
import { Refused, refuse } from "./faults.ts";
import { GROUP, isSigned, type Operation, type Read, type Request } from "./operation.ts";
import {
  givenText,
  keptText,
  type Occasion,
  type Parameter,
  type Parameters,
  readGiven,
  refuseUnknownName,
  type ValuesOf,
} from "./parameter.ts";
import { groupName } from "./parameters/keys.ts";
import { placesOf, RawParameters, type RawValue, textOf } from "./raw-parameters.ts";

/** Alone; in a group, fully signed; as an unsigned forecast; or under a bundle's signature. */
export type SentAs = Occasion | "member" | "forecast" | "bundled" | "bundledReplay";

/**
 * Missing parameters, forms, entries of lists, then rules between parameters.
 * Source: accounts §1.1, chain §6.4, batches §2, bundles §3.
 */
export function readRequest<P extends Parameters>(
  description: Operation<P> | Read<P>,
  raw: RawParameters,
  sentAs?: SentAs,
): Request<P> | Refused {
  return requestReader(description).read(raw, sentAs);
}

export function readTexts<P extends Parameters>(
  description: Operation<P> | Read<P>,
  texts: { readonly [name: string]: RawValue },
  sentAs?: SentAs,
): Request<P> | Refused {
  const raw = new RawParameters(requestReader(description).known);
  raw.addAll(texts);
  return readRequest(description, raw, sentAs);
}

const READERS: WeakMap<object, RequestReader<Parameters>> = new WeakMap();

export function requestReader<P extends Parameters>(
  description: Operation<P> | Read<P>,
): RequestReader<P> {
  let reader = READERS.get(description) as RequestReader<P> | undefined;
  if (reader === undefined) {
    reader = new RequestReader(description);
    READERS.set(description, reader as unknown as RequestReader<Parameters>);
  }
  return reader;
}

const GROUP_NAME = groupName();

interface Way {
  readonly isReplay: boolean;
  readonly isBundled: boolean;
  readonly isUnsigned: boolean;
}

const OWN: Way = { isReplay: false, isBundled: false, isUnsigned: false };
const WAYS: { readonly [S in SentAs]: Way } = {
  admission: OWN,
  member: OWN,
  forecast: { ...OWN, isUnsigned: true },
  bundled: { ...OWN, isUnsigned: true, isBundled: true },
  replay: { ...OWN, isReplay: true },
  bundledReplay: { isReplay: true, isUnsigned: true, isBundled: true },
};

/** A parameter with what each request needs of it: a look-up in its many shapes is slow. */
interface Place {
  readonly name: string;
  readonly parameter: Parameter<unknown>;
  readonly index: number;
  readonly places: readonly number[];
  readonly isOptional: boolean;
  readonly isSignature: boolean;
  readonly isOfBundle: boolean;
  readonly needsFullSignature: Parameter<unknown>["needsFullSignature"];
  readonly isCut: boolean;
  readonly settles: boolean;
}

/** All that does not depend on a request is prepared. */
export class RequestReader<P extends Parameters> {
  /** Includes `group` for signed operations. */
  readonly known: Parameters;
  readonly #description: Operation<P> | Read<P>;
  readonly #own: readonly Place[];
  readonly #group: Place | undefined;
  readonly #signed: Place | undefined;
  readonly #absent: Readonly<Record<string, unknown>>;
  readonly #params: readonly Place[];
  readonly #signatures: readonly Place[];
  readonly #decided: readonly Pick<Place, "name" | "index">[];

  constructor(description: Operation<P> | Read<P>) {
    const { parameters } = description;
    this.#description = description;
    this.known = isSigned(description) ? { ...parameters, [GROUP]: GROUP_NAME } : parameters;
    const places = placesOf(this.known);
    const all = Object.entries(this.known).map(([name, parameter], index): Place => {
      const isSignature = parameter.role === "signature";
      return {
        ...{ name, parameter, index, isSignature },
        places: [name, ...parameter.aliases].map((each) => places.get(each) as number),
        isOptional: parameter.optional,
        isOfBundle: isSignature || name === "signed" || parameter.role === "grant",
        needsFullSignature: parameter.needsFullSignature,
        isCut: parameter.cutAt !== undefined,
        settles: parameter.settle !== undefined,
      };
    });
    const named = (names: readonly string[]): readonly Place[] =>
      names.flatMap((name) => all.find((each) => each.name === name) ?? []);
    this.#own = named(Object.keys(parameters));
    [this.#group] = isSigned(description) ? named([GROUP]) : [];
    [this.#signed] = named(["signed"]);
    this.#absent = Object.fromEntries(
      this.#own.map(({ name, parameter, isSignature }) => [
        name,
        isSignature ? "" : parameter.absent,
      ]),
    );
    const isWrite = description.kind === "write";
    this.#params = isWrite ? named(description.paramNames) : this.#own;
    this.#signatures = isWrite ? named(description.signatureNames) : [];
    this.#decided = named(description.decided ?? []);
  }

  read(raw: RawParameters, sentAs: SentAs = "admission"): Request<P> | Refused {
    const description = this.#description;
    const { isReplay, isBundled, isUnsigned } = WAYS[sentAs];
    const group = isUnsigned ? undefined : sentIn(raw, this.#group);
    if (group instanceof Refused) {
      return group;
    }
    if (group !== undefined && sentAs === "admission") {
      return refuse({ code: "3020" });
    }
    // It covers every parameter, so a mistyped name must not pass. Source: conventions §4.5.
    const saysFull = !isBundled && sentIn(raw, this.#signed) === "full";
    const isStrict = !isReplay && (isBundled || saysFull);
    if (isStrict && raw.unknown !== undefined) {
      return refuseUnknownName(raw.unknown, Object.keys(description.parameters));
    }
    if (description.kind === "read" && raw.unknownPast !== undefined) {
      return refuse({ code: "1008", parameter: raw.unknownPast, isRead: true });
    }
    const sent: (RawValue | undefined)[] = [];
    for (const place of this.#own) {
      if (isBundled ? place.isOfBundle : isUnsigned && place.isSignature) {
        sent.push(undefined);
        continue;
      }
      const value = raw.takeAt(place.places, place.name);
      if (value instanceof Refused) {
        return value;
      }
      if (value === undefined && !place.isOptional) {
        return place.parameter.missing(place.name);
      }
      sent.push(value);
    }
    const incomplete = description.checkMissing && this.#refuseIncomplete(sent);
    if (incomplete !== undefined) {
      return incomplete;
    }

    // It covers texts as they were sent, so only values are cut. Source: chain §4.1.
    const isFull = isBundled || (saysFull && this.#group !== undefined);
    const isShort = !isUnsigned && (this.#signed && sent[this.#signed.index]) === undefined;
    const texts: (string | undefined)[] = [];
    const values: Record<string, unknown> = { ...this.#absent };
    let settles = false;
    for (const place of this.#own) {
      const value = sent[place.index];
      if (value === undefined) {
        texts.push(undefined);
        continue;
      }
      const { name, parameter } = place;
      const whole = givenText(parameter, value, name);
      if (whole instanceof Refused) {
        return whole;
      }
      if (isShort && place.needsFullSignature !== undefined) {
        return refuseShort(place.needsFullSignature, name);
      }
      const read = readGiven(parameter, { raw: value, text: whole, name });
      if (read instanceof Refused) {
        return read;
      }
      const refused =
        (isStrict ? parameter.refuseUnknown?.(read, name) : undefined) ??
        (isReplay ? undefined : parameter.admit?.(whole, name, read));
      if (refused !== undefined) {
        return refused;
      }
      values[name] = read;
      texts.push(isFull || !place.isCut ? whole : keptText(parameter, whole));
      settles ||= place.settles;
    }
    if (group !== undefined) {
      const id = givenText(GROUP_NAME, group, GROUP);
      const value = id instanceof Refused ? id : GROUP_NAME.read(id, GROUP);
      if (value instanceof Refused) {
        return value;
      }
      values[GROUP] = value;
      texts.push(value);
    }
    const refused =
      (settles ? this.#settle(values, isReplay ? "replay" : "admission") : undefined) ??
      description.check?.(values as ValuesOf<P>);
    if (refused !== undefined) {
      return refused;
    }
    const open =
      sentAs === "member" || isUnsigned ? this.#leftOpen(texts, sentAs === "member") : undefined;
    if (open !== undefined) {
      return refuse({ code: "1000", parameter: open });
    }
    return {
      params: pick(texts, this.#params),
      signatures: pick(texts, this.#signatures),
      values: (description.implied === undefined
        ? values
        : { ...values, ...description.implied(values as ValuesOf<P>) }) as ValuesOf<P>,
    };
  }

  #refuseIncomplete(sent: readonly (RawValue | undefined)[]): Refused | undefined {
    const sentAs = (name: string): RawValue | undefined =>
      sent[this.#own.findIndex((place) => place.name === name)];
    return this.#description.checkMissing?.(
      (name) => sentAs(name) !== undefined,
      (name) => {
        const value = sentAs(name);
        return value && textOf(value);
      },
    );
  }

  /** An absent parameter that a signature would decide. Source: batches §2.3. */
  #leftOpen(texts: readonly (string | undefined)[], isMember: boolean): string | undefined {
    const { kind } = this.#description;
    const isOpen = ({ index }: Pick<Place, "index">): boolean => texts[index] === undefined;
    const open = kind === "write" ? this.#decided.find(isOpen) : undefined;
    const ofMember = isMember
      ? [this.#signed, this.#group].find((place) => place && isOpen(place))
      : undefined;
    return (open ?? ofMember)?.name;
  }

  #settle(values: Record<string, unknown>, occasion: Occasion): Refused | undefined {
    for (const { name, parameter, settles } of this.#own) {
      const settled = settles
        ? parameter.settle?.(values[name], name, values, occasion)
        : undefined;
      if (settled instanceof Refused) {
        return settled;
      }
      if (settled !== undefined) {
        values[name] = settled;
      }
    }
    return undefined;
  }
}

function sentIn(raw: RawParameters, place: Place | undefined): RawValue | undefined | Refused {
  return place && raw.takeAt(place.places, place.name);
}

function refuseShort(code: "2010" | "3005", parameter: string): Refused {
  const reason = "needs a full signature, which alone covers it: send signed=full";
  return code === "2010"
    ? refuse({ code, parameter, needsFull: true })
    : refuse({ code, parameter, reason });
}

function pick(texts: readonly (string | undefined)[], places: readonly Place[]): Texts {
  const picked: Record<string, string> = {};
  for (const { name, index } of places) {
    const text = texts[index];
    if (text !== undefined) {
      picked[name] = text;
    }
  }
  return picked;
}
