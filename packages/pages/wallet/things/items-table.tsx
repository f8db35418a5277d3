import { nameText } from "@moneta/sdk/text";
import type { JSX } from "preact";
import { numberText } from "../../parts/amount-text.tsx";
import { policyFact } from "../../parts/policy-facts.tsx";
import { locale, t } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { CsvPreview, onLine, wrongLines } from "../fields/csv-preview.tsx";
import { FieldError, useFormState } from "../fields/form-state.ts";
import { TextField } from "../fields/text-field.tsx";
import { readerZone } from "../fields/time-field.tsx";
import { faultText } from "../operations/fault-text.ts";
import { initialTexts } from "../operations/fields.ts";
import { isSendable, itemColumns, itemdataOf, readItemsCsv } from "../operations/items-csv.ts";
import { Made } from "../operations/made.tsx";
import { decimalsNow, readDecimals } from "../operations/reading.ts";
import type { Subjects } from "../operations/subject.ts";
import { type Proposal, WriteForm } from "../writes/write-form.tsx";

/** A spreadsheet of a hundred lines is far smaller. */
const FILE_BYTES_MAX = 4_000_000;

const TOKEN_COLUMNS = ["face_token", "initial_token", "sell_token", "auction_token"] as const;

const USUAL = initialTexts(itemColumns, "en");

const EXAMPLE = `name,groupid,attribute:level,sell_fee,sell_price
Dawn,Swords,7,2.5,12
Dusk,Swords,9,2.5,15`;

/** Many items, pasted or from a file, with errors by line. Source: explorer §3 */
export function ItemsTable({ subject }: { readonly subject: Subjects["project"] }): JSX.Element {
  const texts = walletTexts().operations.table;
  const { project } = subject;
  const form = useFormState();
  const text = form.value("itemdata");
  const table =
    text === "" ? undefined : readItemsCsv(text, { decimals: decimalsNow, locale: locale() });
  const propose = async (): Promise<Proposal> => {
    const { lines } = readItemsCsv(text, { decimals: () => 0, locale: locale() });
    const named = lines.flatMap(({ texts: cells }) => TOKEN_COLUMNS.map((one) => cells[one] ?? ""));
    const read = readItemsCsv(text, {
      decimals: await readDecimals(named),
      locale: locale(),
    });
    if (!isSendable(read)) {
      throw new FieldError(
        "itemdata",
        read.fault === undefined ? texts.wrong(wrongLines(read.lines)) : faultText(read.fault),
      );
    }
    const itemdata = itemdataOf(read);
    const holders = new Set(itemdata.flatMap(({ to }) => to ?? []));
    return {
      request: { mrc400id: project.id, itemdata },
      title: texts.says(itemdata.length, nameText(project.name, t().nothingVisible)),
      facts: [
        [texts.count, <CsvPreview lines={read.lines} head={texts.item} usual={USUAL} />],
        [texts.holders, holders.size > 0 && numberText(holders.size)],
        policyFact(project),
      ],
    };
  };
  const take = async (file: File | undefined): Promise<void> => {
    if (file !== undefined && file.size <= FILE_BYTES_MAX) {
      form.type("itemdata", await file.text());
    }
  };
  return (
    <>
      <p class="explanation">
        {texts.text} {walletTexts().wallet.form.zone(readerZone())}
      </p>
      <details>
        <summary>{texts.columns}</summary>
        <ul class="plain">
          {Object.keys(itemColumns).map((name) => (
            <li key={name}>
              <code>{name}</code>{" "}
              {(walletTexts().operations.fields as Readonly<Record<string, string>>)[name]}
            </li>
          ))}
          <li>
            <code>attribute:…</code> {texts.attribute}
          </li>
        </ul>
      </details>
      <WriteForm
        form={form}
        operation="mrc401create"
        propose={propose}
        explain={onLine(table?.lines)}
        another={walletTexts().operations.buttons["new-items"]}
        done={({ state: { result } }, another) => <Made result={result}>{another}</Made>}
      >
        <TextField form={form} name="itemdata" label={texts.paste} lines={8} />
        <p class="actions">
          <label class="file-choice">
            <span>{texts.file}</span>
            <input
              type="file"
              accept=".csv,text/csv,text/plain"
              onChange={({ currentTarget: { files } }) => void take(files?.[0])}
            />
          </label>
          <button type="button" class="small" onClick={() => form.type("itemdata", EXAMPLE)}>
            {texts.example}
          </button>
        </p>
        {table !== undefined && (
          <CsvPreview lines={table.lines} fault={table.fault} head={texts.item} usual={USUAL} />
        )}
      </WriteForm>
    </>
  );
}
