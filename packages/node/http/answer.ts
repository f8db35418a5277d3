/** What a request is answered with. */
export interface Answer {
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The newest block that the answer reflects; absent: the newest there is. */
  readonly height?: number;
}

export function json(value: unknown, headers?: Readonly<Record<string, string>>): Answer {
  return jsonText(JSON.stringify(value), headers);
}

/** JSON that is text already. */
export function jsonText(body: string, headers?: Readonly<Record<string, string>>): Answer {
  return { contentType: "application/json", body, ...(headers === undefined ? {} : { headers }) };
}

export function plain(body: string, headers?: Readonly<Record<string, string>>): Answer {
  return {
    contentType: "text/plain; charset=utf-8",
    body,
    ...(headers === undefined ? {} : { headers }),
  };
}
