import type { JSX } from "preact";
import { numberText } from "../../parts/amount-text.tsx";
import { EntryTable } from "../../parts/lists/entry-table.tsx";
import { Icon } from "../../parts/pictures/icon.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { CsvLine } from "../csv-rows.ts";
import { faultText } from "../operations/fault-text.ts";
import type { FieldFault } from "../operations/fields.ts";

interface Props {
  readonly lines: readonly CsvLine[];
  readonly head: string;
  readonly fault?: FieldFault | undefined;
  readonly labels?: Readonly<Record<string, string>>;
  /** Default values by column, which are not shown. */
  readonly usual?: Readonly<Record<string, string>>;
}

/** Source: explorer §3. */
export function CsvPreview({ lines, head, fault, labels = {}, usual = {} }: Props): JSX.Element {
  const texts = walletTexts().operations.table;
  const all: Readonly<Record<string, string>> = { ...walletTexts().operations.fields, ...labels };
  const labelOf = (name: string): string => all[name] ?? name;
  const wrong = wrongLines(lines);
  return (
    <section aria-label={texts.preview} class="list preview">
      <div role="status">
        {fault !== undefined && <p class="problem">{faultText(fault)}</p>}
        {wrong > 0 && <p class="problem">{texts.wrong(wrong)}</p>}
      </div>
      <EntryTable<CsvLine>
        caption={texts.preview}
        entries={lines}
        keyOf={({ line }) => String(line)}
        columns={[
          { head: texts.line, kind: "main", cell: ({ line }) => numberText(line) },
          {
            head,
            cell: ({ texts: cells }) => (
              <ul class="plain">
                {Object.entries(cells)
                  .filter(([name, cell]) => cell !== "" && cell !== usual[name])
                  .map(([name, cell]) => (
                    <li key={name}>
                      <span class="quiet">{labelOf(name)}:</span>{" "}
                      <UntrustedText text={cell} max={60} />
                    </li>
                  ))}
              </ul>
            ),
          },
          {
            head: texts.check,
            cell: ({ faults }) => {
              const found = Object.entries(faults);
              return found.length === 0 ? (
                <span class="badge good">
                  <Icon of="check" />
                  <span class="for-screen-readers">{texts.right}</span>
                </span>
              ) : (
                <ul class="plain">
                  {found.map(([name, one]) => (
                    <li key={name} class="error">
                      {labelOf(name)}: <UntrustedText text={faultText(one)} />
                    </li>
                  ))}
                </ul>
              );
            },
          },
        ]}
      />
    </section>
  );
}

export function wrongLines(lines: readonly CsvLine[] = []): number {
  return lines.filter(({ faults }) => Object.keys(faults).length > 0).length;
}

/** Adds the line of the table to the message of a refused entry. */
export function onLine(
  lines: readonly CsvLine[] = [],
): (problem: { readonly parameter?: string | undefined; readonly message: string }) => string {
  return ({ parameter = "", message }) => {
    const line = lines[Number(/\[([0-9]+)\]/.exec(parameter)?.[1])]?.line;
    return line === undefined ? message : walletTexts().operations.faults.line(line, message);
  };
}
