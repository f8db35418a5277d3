export interface Call {
  /** The first whose path parameters are all given is used. */
  readonly routes: readonly string[];
  readonly parameters: string;
  /** Of a write: the parameter for the temporary key; empty for an unsigned one. */
  readonly key?: string;
  readonly actor?: string;
  /** The parameter for the signatures by new keys in the request. Source: authority §1.3. */
  readonly proof?: string;
  /** Of several signers: parameters of each one's address, temporary key and signature. */
  readonly signers?: readonly string[];
  /** The weight of an operation, or of each entry of its list, in a bundle; 1 if absent. */
  readonly weight?: number;
  /** JSON if absent. */
  readonly answer?: "text" | "file" | "nothing";
  readonly member?: string;
  /**
   * Paths of amounts in the response, separated by blanks; `*` is any name, arrays are not named.
   * After `>` they are those in `items`.
   */
  readonly amounts?: string;
}

export interface CallOptions {
  /** Aborts the call. A write that was already sent may have been done. */
  readonly signal?: AbortSignal | undefined;
  /** For reads: the state of this block or a later one. Source: conventions §2.3. */
  readonly minHeight?: number | undefined;
  /** Called with the height of the state that each response shows. Source: conventions §2.3. */
  readonly onHeight?: ((height: number) => void) | undefined;
  /** `00-<trace id>-<parent id>-<flags>`; the node logs the trace id. Source: W3C Trace Context. */
  readonly traceparent?: string | undefined;
  /** Throws RangeError for a response with more bytes. */
  readonly bytesMax?: number | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON with amounts as texts; or text, or bytes. */
  readonly body: unknown;
}
