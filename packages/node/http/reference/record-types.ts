import {
  RECORD_FORMS,
  RECORD_PARAMETERS,
  RECORD_TYPES,
  type RecordForm,
  type RecordType,
} from "@moneta/protocol";
import { ENGLISH, recordTexts } from "@moneta/protocol/sentences";

const SECTIONS: readonly { readonly title: string; readonly has: RegExp }[] = [
  {
    title: "Accounts and tokens",
    has: /^(NewWallet|transfer|receive|multi_transfer|token(?!\w+Target)\w*|owner\w*)$/,
  },
  { title: "Keys, recovery and grants", has: /^(NewKeys|Recovery|Grant)/ },
  { title: "Token market (MRC010)", has: /mrc010/ },
  { title: "Projects and items (MRC400, MRC401)", has: /mrc40[01]|^receive_melt(fee)?$/ },
  { title: "Multi-unit items (MRC402)", has: /mrc402/ },
  {
    title: "Exchange, delayed open and the order exchange (MRC020, MRC040)",
    has: /^(SetBase|token(Add|Remove)Target|exchange|MRC020|stodex)/,
  },
  { title: "Bundles", has: /^bundle$/ },
  { title: "The ledger", has: /^(Chaincode|DataMigration|StateRoot)/ },
];

/** Markdown for the API reference. Source: chain §9. */
export function recordTypes(): string {
  const bySection = Map.groupBy(RECORD_TYPES, (type) =>
    SECTIONS.findIndex(({ has }) => has.test(type)),
  );
  if (bySection.has(-1)) {
    throw new Error(`no section has ${bySection.get(-1)}`);
  }
  const sections = SECTIONS.map(({ title }, index) => section(title, bySection.get(index) ?? []));
  return `# Types of records

Every transaction has a record of what it did, and \`effects\`: a record for each other address, item and listing concerned. A node makes records of these types and no others.

A record has its parameters as an array of texts, lists and objects as JSON text; the tables name them in their order. A value in quotes is always that text. Parameters in brackets are
either all present or all absent. \`describe(record, address)\` of the client library names the parameters.

- **history of** an address: the record is in \`GET /address/{address}/transactions\`, and in streams of \`GET /events\` with \`address\`.
- **on** an item, project or listing: the record is among the \`effects\` of \`GET /transaction/{transaction_id}\`, has the id as \`item\`, and selects the
  transaction for streams with \`item\`. It is in no address's history.
- The first record of each transaction is in \`GET /transactions\`, even if it concerns no address; those of type \`StateRoot\` only where \`type\` names it, as in events.
- If a partner creates or sells items by a role in a project, the project's owner sees the same record as the actor.

${sections.join("\n")}
## Names of parameters

| name | meaning |
|---|---|
${Object.entries(RECORD_PARAMETERS)
  .map(([name, meaning]) => `| \`${name}\` | ${meaning} |`)
  .join("\n")}
`;
}

function section(title: string, types: readonly RecordType[]): string {
  const rows = types.flatMap((type) => RECORD_FORMS[type].map((form) => row(type, form)));
  return `## ${title}

| type | sentence | made by | who sees it | parameters |
|---|---|---|---|---|
${rows.join("\n")}
`;
}

function row(type: RecordType, form: RecordForm): string {
  const { by, filed, parameters, optional } = form;
  const named = (under: string): string => (parameters.includes(under) ? `\`${under}\`` : under);
  const instead = standsFor(form);
  const seen = [
    ...(instead === undefined
      ? [filed.M, filed.A].flatMap((under) => (under ? [`history of ${named(under)}`] : []))
      : [`all transactions; the history has \`${instead}\` instead`]),
    ...[filed.I, filed.L].flatMap((under) => (under ? [`on ${named(under)}`] : [])),
  ].join("; ");
  const names = (all: readonly string[]): string => all.map(parameterText).join(", ");
  const extra = optional.length > 0 ? ` [, ${names(optional)}]` : "";
  const makers = by.map((name) => `\`${name}\``).join(", ");
  return `| \`${type}\` | ${recordTexts(ENGLISH, type)?.sentence.replaceAll("|", "\\|")} | ${makers} | ${seen} | ${names(parameters)}${extra} |`;
}

/** A history shows only the effect that repeats a record. Source: chain §10. */
function standsFor({ filed, parameters, by }: RecordForm): RecordType | undefined {
  return RECORD_TYPES.find((type) =>
    RECORD_FORMS[type].some(
      (other) =>
        other.filed.A !== undefined &&
        other.filed.A === filed.M &&
        other.parameters.join() === parameters.join() &&
        by.every((name) => other.by.includes(name)),
    ),
  );
}

function parameterText(name: string): string {
  return name.startsWith("=") ? `"${name.slice(1)}"` : `\`${name}\``;
}
