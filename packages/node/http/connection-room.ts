/** Beyond the maximum, only for checks of the node. */
const RESERVED = 64;

export interface Held {
  readonly client: string;
  close(): void;
}

/** `reserved`: only for checks of the node. `client`, `full`: refused. */
export type Place = "open" | "reserved" | "client" | "full";

interface Part {
  readonly max: () => number;
  readonly all: Set<Held>;
  /** Without a request, the longest idle first. */
  readonly idle: Set<Held>;
}

/** A new connection takes the place of the longest idle one, or is refused. */
export class ConnectionRoom {
  readonly #ofOneMax: number;
  readonly #open: Part;
  readonly #reserved: Part;
  readonly #byClient: Map<string, Part> = new Map();

  /** `ofOneMax`: 0 means no limit. */
  constructor({ max, ofOneMax }: { readonly max: () => number; readonly ofOneMax: number }) {
    this.#ofOneMax = ofOneMax === 0 ? Number.POSITIVE_INFINITY : ofOneMax;
    this.#open = partOf(max);
    this.#reserved = partOf(() => RESERVED);
  }

  get count(): number {
    return this.#open.all.size + this.#reserved.all.size;
  }

  admit(held: Held): Place {
    const own = this.#byClient.get(held.client) ?? partOf(() => this.#ofOneMax);
    if (!this.#hasRoom(own)) {
      return "client";
    }
    const isOpen = this.#hasRoom(this.#open);
    if (!isOpen && !this.#hasRoom(this.#reserved)) {
      return "full";
    }
    this.#byClient.set(held.client, own);
    for (const part of [own, isOpen ? this.#open : this.#reserved]) {
      part.all.add(held);
      part.idle.add(held);
    }
    return isOpen ? "open" : "reserved";
  }

  noteIdle(held: Held): void {
    for (const part of this.#partsOf(held)) {
      part.idle.add(held);
    }
  }

  noteBusy(held: Held): void {
    for (const part of this.#partsOf(held)) {
      part.idle.delete(held);
    }
  }

  remove(held: Held): void {
    for (const part of this.#partsOf(held)) {
      part.all.delete(held);
      part.idle.delete(held);
    }
    if (this.#byClient.get(held.client)?.all.size === 0) {
      this.#byClient.delete(held.client);
    }
  }

  #partsOf(held: Held): readonly Part[] {
    const own = this.#byClient.get(held.client);
    return [own, this.#open, this.#reserved].filter(
      (part): part is Part => part?.all.has(held) === true,
    );
  }

  /** Possibly in place of the longest idle one. */
  #hasRoom({ max, all, idle: [longest] }: Part): boolean {
    if (all.size < max()) {
      return true;
    }
    if (longest === undefined) {
      return false;
    }
    this.remove(longest);
    longest.close();
    return true;
  }
}

function partOf(max: () => number): Part {
  return { max, all: new Set(), idle: new Set() };
}

/** For files, threads and outgoing connections. */
const OTHER_DESCRIPTORS = 256;

/** As many as there are descriptors for. Infinity if the system has no limit. */
export function connectionsMax(): number {
  Object.assign(process.report, { excludeNetwork: true }); // else it looks up names of connections
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | "unlimited" } };
  };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number"
    ? Math.max(Math.floor(soft / 2), soft - OTHER_DESCRIPTORS - RESERVED)
    : Number.POSITIVE_INFINITY;
}
