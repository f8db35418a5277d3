/** What is sent for an operation or a read, as its description says. */
export interface Call {
  /** Methods and paths; the first whose parameters in the path are all given is asked. */
  readonly routes: readonly string[];
  /** What a caller may give: names with blanks between them. */
  readonly parameters: string;
  readonly write?: boolean;
  /** The parameter that carries the temporary key; absent where nobody signs. */
  readonly key?: string;
  /** The parameter that names the actor. */
  readonly actor?: string;
  /** What the answer is, JSON if absent. */
  readonly answer?: "text" | "file" | "nothing";
  /** What the text that a write is answered with is called. */
  readonly member?: string;
  /** Where amounts stand in the answer: paths with blanks between them, `*` for any name; arrays are not named. */
  readonly amounts?: string;
}

export interface CallOptions {
  /** Ends the call. Whether a write that has been sent was done is not known then. */
  readonly signal?: AbortSignal | undefined;
  /** The answer is of this block or a later one; of a read. Source: conventions §2.3. */
  readonly minHeight?: number | undefined;
  /** `00-<trace id>-<parent id>-<flags>`, sent as the header of this name: the log of the node has the trace id. Source: W3C Trace Context. */
  readonly traceparent?: string | undefined;
}

/** What was answered, on the wire's terms. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** JSON parsed, amounts still texts; or text, or bytes. */
  readonly body: unknown;
}
