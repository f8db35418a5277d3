import { type Actor, SigningKey } from "@moneta/sdk";
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { moneta, NODE_URL } from "../ledger/node.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { t } from "../texts/texts.ts";
import { bodyOf, type Reference, type ShownOperation } from "./reference-document.ts";

/** Lists may have megabytes. */
const SHOWN_CHARACTERS = 20_000;

/** Its key exists in this tab only. */
const testAccount = signal<Actor | undefined>(undefined);

type Texts = Readonly<Record<string, string>>;

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly example: string;
  /** JSON is long to type. */
  readonly isList: boolean;
}

interface Sent {
  readonly request: string;
  /** Of a read. */
  readonly url?: string;
  readonly text: string;
}

/** Sends reads, and on test deployments writes, which a key of the tab signs. */
export function TryIt({
  operation,
  schemas,
}: {
  readonly operation: ShownOperation;
  readonly schemas: Reference["schemas"];
}): JSX.Element {
  const { signed } = operation["x-trial"] ?? {};
  const fields = fieldsOf(operation, schemas);
  const [values, setValues] = useState<Texts>(
    Object.fromEntries(fields.filter(({ isList }) => isList).map((one) => [one.name, one.example])),
  );
  const [shown, setShown] = useState<Sent>();
  const [error, setError] = useState("");
  const texts = t().reference;
  const { value: account } = testAccount;
  const trying = async (attempt: () => Promise<void>): Promise<void> => {
    setError("");
    setShown(undefined);
    try {
      await attempt();
    } catch (thrown) {
      setError(String(thrown));
    }
  };

  return (
    <section class="card stack">
      <h2>{texts.tryIt}</h2>
      {signed === undefined ? null : account === undefined ? (
        <>
          <p class="quiet">{texts.testKey}</p>
          <button type="button" class="primary" onClick={() => void trying(openTestAccount)}>
            {texts.newTestAccount}
          </button>
        </>
      ) : (
        <p>
          {texts.signsFor} <code>{account.address}</code>
          <CopyButton text={account.address} />
        </p>
      )}
      {(signed === undefined || account !== undefined) && (
        <form
          class="try-it"
          onSubmit={(event) => {
            event.preventDefault();
            void trying(async () => setShown(await send(operation, values, account)));
          }}
        >
          {fields.map(({ name, required, example }) => (
            <label key={name}>
              <code>{name}</code>
              <input
                required={required}
                placeholder={example}
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
      )}
      <div role="status">
        {error}
        {shown !== undefined && (
          <>
            <p>
              {shown.url === undefined ? (
                <code>{shown.request}</code>
              ) : (
                <>
                  <code>GET</code> <a href={shown.url}>{shown.url}</a>
                </>
              )}
            </p>
            <pre>{shown.text}</pre>
          </>
        )}
      </div>
    </section>
  );
}

function fieldsOf(operation: ShownOperation, schemas: Reference["schemas"]): readonly Field[] {
  const { withoutField = [] } = operation["x-trial"] ?? {};
  return [...operation.parameters, ...bodyOf(operation, schemas)]
    .filter(({ name }) => !withoutField.includes(name))
    .map(({ name, required, example, schema }) => {
      const isList = schema.type === "array" || schema.items !== undefined;
      return { name, required, example: textOf(example), isList: isList && required };
    });
}

async function openTestAccount(): Promise<void> {
  const account = await moneta.createAddress(await SigningKey.generate());
  await moneta.faucet({ address: account.address });
  testAccount.value = account;
}

async function send(
  operation: ShownOperation,
  values: Texts,
  account: Actor | undefined,
): Promise<Sent> {
  const { signed } = operation["x-trial"] ?? {};
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
  if (signed === undefined || account === undefined) {
    return await exchanged(operation, given);
  }
  const { params, signature } = await account.prepare(signed, given);
  return await exchanged(operation, { ...params, signature });
}

/** The request as it is, and the response as it comes. */
async function exchanged({ method, path }: ShownOperation, values: Texts): Promise<Sent> {
  const others = new Map(Object.entries(values));
  const wholePath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = others.get(name) ?? "";
    others.delete(name);
    return encodeURIComponent(value);
  });
  const isGet = method === "GET";
  const query = isGet && others.size > 0 ? `?${new URLSearchParams([...others])}` : "";
  const url = `${NODE_URL}${wholePath}${query}`;
  const response = isGet
    ? await fetch(url)
    : await fetch(url, {
        method,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(Object.fromEntries(others)),
      });
  const body = await response.text();
  const id = response.headers.get("Transaction-Id");
  const text = [
    `HTTP ${response.status}`,
    ...(id === null ? [] : [`Transaction-Id: ${id}`]),
    "",
    indented(body),
  ].join("\n");
  return isGet ? { request: url, url, text } : { request: `${method} ${url}`, text };
}

function textOf(value: unknown): string {
  return value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
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
