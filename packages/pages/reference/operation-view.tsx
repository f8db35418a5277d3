import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { View } from "../frame/view.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { t } from "../texts/texts.ts";
import { REFERENCE } from "./links.ts";
import { inline, Markdown, Table } from "./markdown.tsx";
import {
  type Member,
  membersOf,
  type Reference,
  type ShownOperation,
  typeOf,
} from "./reference-document.ts";
import { TryIt } from "./try-it.tsx";

const language = signal("curl");

export function OperationView({
  operation,
  schemas,
}: {
  readonly operation: ShownOperation;
  readonly schemas: Reference["schemas"];
}): JSX.Element {
  const { method, path, summary, description, parameters, requestBody, responses } = operation;
  const texts = t().reference;
  const { 200: done, ...refused } = responses;
  const [form] = Object.values(requestBody?.content ?? {});
  // Some unsigned writes are reached by GET, too.
  const isWrite = done?.headers?.["Transaction-Id"] !== undefined;
  const isStream = done?.content?.["text/event-stream"] !== undefined;
  return (
    <View title={summary}>
      <p>
        <span class="badge accent">{method}</span> <code>{path}</code>
        <CopyButton text={path} />
      </p>
      {operation.also.map((other) => (
        <p key={other.operationId}>
          <span class="badge">{other.method}</span>{" "}
          <a href={`${REFERENCE}/${other.operationId}`}>
            <code>{other.path}</code>
          </a>
        </p>
      ))}
      <Markdown text={description} />
      <div class="columns">
        <div class="stack">
          <Members
            title={texts.parameters}
            members={[
              ...parameters.map((parameter) => ({
                ...parameter,
                type: `${typeOf(parameter.schema, schemas)} · ${parameter.in}`,
                description: parameter.description ?? "",
              })),
              ...(form === undefined ? [] : membersOf(form.schema, schemas)),
            ]}
          />
          {requestBody && (
            <p class="quiet">
              {texts.body} {Object.keys(requestBody.content).join(", ")}
            </p>
          )}
        </div>
        <div class="stack">
          <Samples samples={operation["x-codeSamples"]} />
          {(operation["x-trial"] !== undefined || (method === "GET" && !isWrite && !isStream)) && (
            <TryIt operation={operation} schemas={schemas} />
          )}
        </div>
      </div>
      {done !== undefined && (
        <section class="stack">
          <h2>{texts.response}</h2>
          <p>{inline(done.description)}</p>
          {Object.entries(done.content ?? {}).map(([type, { schema, example, examples }]) => (
            <section class="stack" key={type}>
              <Members title={type} members={membersOf(schema, schemas)} />
              <Code value={example ?? Object.values(examples ?? {})[0]?.value} />
            </section>
          ))}
          <Table
            heads={[texts.header, texts.about]}
            rows={Object.entries(done.headers ?? {}).map(([name, header]) => [
              <code key={name}>{name}</code>,
              header.description,
            ])}
          />
        </section>
      )}
      <section class="stack">
        <h2>{texts.errors}</h2>
        <Table
          heads={["HTTP", texts.about]}
          rows={Object.entries(refused).map(([status, { description: codes }]) => [
            status,
            inline(codes),
          ])}
        />
      </section>
    </View>
  );
}

function Members({
  title,
  members,
}: {
  readonly title: string;
  readonly members: readonly Member[];
}): JSX.Element | null {
  const { name, about, required } = t().reference;
  return members.length === 0 ? null : (
    <section class="stack">
      <h2>{title}</h2>
      <Table
        heads={[name, about]}
        rows={members.map((member) => [
          <>
            <code>{member.name}</code>
            <br />
            <span class="quiet">{member.type}</span>{" "}
            {member.required && <span class="badge">{required}</span>}
          </>,
          inline(member.description),
        ])}
      />
    </section>
  );
}

function Samples({ samples }: { readonly samples: ShownOperation["x-codeSamples"] }): JSX.Element {
  const { sample } = t().reference;
  const labelOf = ({ label, example }: (typeof samples)[number]): string =>
    example === undefined ? label : `${label}, ${example}`;
  const shown = samples.find((one) => labelOf(one) === language.value) ?? samples[0];
  return (
    <section class="card sample">
      <header>
        <h2>{sample}</h2>
        <select
          aria-label={sample}
          value={shown && labelOf(shown)}
          onChange={({ currentTarget }) => (language.value = currentTarget.value)}
        >
          {samples.map((one) => (
            <option key={labelOf(one)}>{labelOf(one)}</option>
          ))}
        </select>
        <CopyButton text={shown?.source ?? ""} />
      </header>
      <pre>{shown?.source}</pre>
    </section>
  );
}

function Code({ value }: { readonly value: unknown }): JSX.Element | null {
  return value === undefined ? null : (
    <pre>{typeof value === "string" ? value : JSON.stringify(value, null, 2)}</pre>
  );
}
