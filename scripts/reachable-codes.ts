import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

interface Place {
  readonly file: string;
  readonly name: string;
}

interface Source {
  readonly declarations: ReadonlyMap<string, string>;
  readonly origins: ReadonlyMap<string, Place>;
}

const PACKAGES: { readonly [name: string]: string } = {
  "@moneta/protocol": "packages/protocol/index.ts",
  "@moneta/ledger": "packages/ledger/index.ts",
};

const CODE = /\b(?:code|zero|kindFault|countFault): ((?:"\d{4}"(?: \| )?)+)/g;

/** Found in the sources by names and texts; paths are relative to the project's root. */
export class ReachableCodes {
  readonly #root: string;
  readonly #stopsAt: readonly string[];
  readonly #sources: Map<string, Source> = new Map();

  constructor(root: string, stopsAt: readonly string[]) {
    this.#root = root;
    this.#stopsAt = stopsAt;
  }

  /** Includes faults of declarations that it names, directly or indirectly. */
  of(start: Place): ReadonlySet<string> {
    return this.#codes(new Set(), [start]);
  }

  ofPart(file: string, text: string): ReadonlySet<string> {
    return this.#codes(new Set(codesIn(text)), placesIn(file, text));
  }

  declaration({ file, name }: Place): string | undefined {
    return this.#source(file).declarations.get(name);
  }

  #codes(codes: Set<string>, left: Place[]): ReadonlySet<string> {
    const seen = new Set<string>();
    for (let place = left.pop(); place !== undefined; place = left.pop()) {
      const { file, name } = this.#declared(place);
      const key = `${file} ${name}`;
      const text = this.declaration({ file, name });
      const isStop = this.#stopsAt.some((one) => file.startsWith(one));
      if (seen.has(key) || isStop || text === undefined) {
        continue;
      }
      seen.add(key);
      for (const code of codesIn(text)) {
        codes.add(code);
      }
      left.push(...placesIn(file, text));
    }
    return codes;
  }

  #declared(place: Place): Place {
    const origin = this.#source(place.file).origins.get(place.name);
    return origin === undefined ? place : this.#declared(origin);
  }

  #source(file: string): Source {
    const known = this.#sources.get(file) ?? this.#read(file);
    this.#sources.set(file, known);
    return known;
  }

  #read(file: string): Source {
    const text = readFileSync(join(this.#root, file), "utf8")
      .replaceAll(/\/\*.*?\*\//gs, "")
      .replaceAll(/^\s*\/\/.*$/gm, "");
    const origins = new Map<string, Place>();
    for (const [, names = "", from = ""] of text.matchAll(
      /^(?:import|export) (?:type )?\{([^}]*)\} from "([^"]+)";/gm,
    )) {
      const source = from.startsWith(".") ? join(dirname(file), from) : PACKAGES[from];
      if (source === undefined) {
        continue;
      }
      for (const each of names.split(",")) {
        const [name = "", as = name] = each
          .trim()
          .replace(/^type /, "")
          .split(" as ");
        origins.set(as, { file: source, name });
      }
    }
    const declarations = new Map<string, string>();
    for (const part of text.split(/^(?=[a-z])/m)) {
      const [, name] =
        /^(?:export )?(?:abstract )?(?:async )?(?:const|function\*?|class) (\w+)/.exec(part) ?? [];
      if (name !== undefined) {
        declarations.set(name, (declarations.get(name) ?? "") + part);
      }
    }
    return { declarations, origins };
  }
}

function codesIn(text: string): string[] {
  return [...text.matchAll(CODE)].flatMap(([, found = ""]) => found.match(/\d{4}/g) ?? []);
}

/** Neither members of objects nor keys of literals, nor words of messages. */
function placesIn(file: string, text: string): Place[] {
  const code = text.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""');
  return Array.from(code.matchAll(/(?<![.\w$])[A-Za-z_$][\w$]*\b(?!:)/g), ([name]) => ({
    file,
    name,
  }));
}
