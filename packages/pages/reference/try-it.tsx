import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { NODE_URL } from "../ledger/node.ts";
import { t } from "../texts/texts.ts";
import type { ShownOperation } from "./reference-document.ts";

/** Lists may have megabytes. */
const SHOWN_CHARACTERS = 20_000;

export function TryIt({ operation }: { readonly operation: ShownOperation }): JSX.Element {
  const { path, parameters } = operation;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [shown, setShown] = useState<{ readonly url: string; readonly text: string }>();
  const texts = t().reference;

  const send = async (): Promise<void> => {
    const query = new URLSearchParams();
    let asked = path;
    for (const { name, in: place } of parameters) {
      const value = values[name] ?? "";
      if (place === "path") {
        asked = asked.replace(`{${name}}`, encodeURIComponent(value));
      } else if (value !== "") {
        query.append(name, value);
      }
    }
    const url = `${NODE_URL}${asked}${query.size > 0 ? `?${query}` : ""}`;
    try {
      const response = await fetch(url);
      const body = await response.text();
      setShown({ url, text: `HTTP ${response.status}\n\n${indented(body)}` });
    } catch (thrown) {
      setShown({ url, text: String(thrown) });
    }
  };

  return (
    <section class="card">
      <h2>{texts.tryIt}</h2>
      <form
        class="try-it"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {parameters.map(({ name, required, example }) => (
          <label key={name}>
            <code>{name}</code>
            <input
              required={required}
              placeholder={example === undefined ? "" : String(example)}
              value={values[name] ?? ""}
              autocomplete="off"
              onInput={({ currentTarget: { value } }) => setValues({ ...values, [name]: value })}
            />
          </label>
        ))}
        <button type="submit" class="primary">
          {texts.send}
        </button>
      </form>
      {shown !== undefined && (
        <div role="status">
          <p>
            <code>GET</code> <a href={shown.url}>{shown.url}</a>
          </p>
          <pre>{shown.text}</pre>
        </div>
      )}
    </section>
  );
}

function indented(body: string): string {
  let text = body;
  try {
    // Numbers beyond 2^53 are texts in this API.
    text = JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // A text, CSV, or a file.
  }
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}\n…` : text;
}
