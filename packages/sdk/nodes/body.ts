/** A page of raw blocks has 16 MiB and one block of at most 32 MiB. Source: chain §2. */
export const ANSWER_BYTES_MAX: number = 64 << 20;

/** Throws RangeError as soon as there are more than `bytesMax`. */
export async function wholeBody(
  { body }: Response,
  bytesMax: number = ANSWER_BYTES_MAX,
): Promise<Uint8Array<ArrayBuffer>> {
  const gathered = new Gathered(bytesMax);
  for await (const piece of piecesOf(body)) {
    gathered.add(piece);
  }
  return gathered.take();
}

/**
 * Lines without LF or CRLF; an unfinished last one is dropped. Throws RangeError for one that is
 * too long.
 */
export async function* linesOf(
  { body }: Response,
  onPiece: () => void = () => undefined,
): AsyncGenerator<string, void, undefined> {
  const gathered = new Gathered(ANSWER_BYTES_MAX);
  for await (const piece of piecesOf(body)) {
    onPiece();
    let first = 0;
    for (let end = piece.indexOf(LF); end !== -1; end = piece.indexOf(LF, first)) {
      gathered.add(piece.subarray(first, end));
      first = end + 1;
      yield new TextDecoder().decode(gathered.take()).replace(/\r$/, "");
    }
    gathered.add(piece.subarray(first));
  }
}

const LF = 10;

/** Not every browser iterates over a body. */
async function* piecesOf(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body?.getReader();
  try {
    for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
      yield piece.value;
    }
  } finally {
    void reader?.cancel().catch(() => undefined);
  }
}

/** An array of pieces costs a hundred times as much if a node sends single bytes. */
class Gathered {
  readonly #bytesMax: number;
  #bytes = new Uint8Array(1024);
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#bytesMax) {
      throw new RangeError(`the response has more than ${this.#bytesMax} bytes`);
    }
    if (length > this.#bytes.length) {
      const before = this.#bytes;
      this.#bytes = new Uint8Array(2 * length);
      this.#bytes.set(before);
    }
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }
}
