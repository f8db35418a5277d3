import type { BundledOperation, Found, ListedProject, Project } from "@moneta/sdk";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { moneta } from "../../ledger/node.ts";
import { projectOf } from "../../ledger/projects.ts";
import { useRead } from "../../ledger/use-read.ts";
import { amountText, tokenName } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Picture } from "../../parts/pictures/picture.tsx";
import { Shown } from "../../parts/shown.tsx";
import { UntrustedName, UntrustedText } from "../../parts/untrusted-text.tsx";
import { locale } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { FieldError, type FormState, useFormState } from "../fields/form-state.ts";
import { PickerField } from "../fields/picker-field.tsx";
import { knownKeySet, needsOthers } from "../keys/key-sets.ts";
import { type Fields, fieldsOf, initialTexts, type Values } from "../operations/fields.ts";
import { Made } from "../operations/made.tsx";
import { explainer, newProject, readMembers } from "../operations/operation-card.tsx";
import { operationFacts } from "../operations/operation-facts.tsx";
import { fieldLabel, OperationFields, optionText } from "../operations/operation-field.tsx";
import {
  type Acting,
  formFields,
  membersOf,
  type OperationForm,
  requestOf,
} from "../operations/operation-form.ts";
import { operationAt } from "../operations/operations.ts";
import { readingNow } from "../operations/reading.ts";
import type { Subjects } from "../operations/subject.ts";
import { WhoLink } from "../operations/who-link.tsx";
import { type Proposal, WriteForm } from "../writes/write-form.tsx";

/** A project's own page can create items, too. */
const PROJECTS_MAX = 100;
const NAME_MAX = 60;
const NEW = "new";

const NOTHING = { kind: "nothing" } as const;
const NEW_ITEM = operationAt(
  { kind: "project", project: {} as Project },
  "new-item",
) as OperationForm;
const NEW_PROJECT = operationAt(NOTHING, "project") as OperationForm;

/** In an own project, or a new one under the same signature. Source: explorer §3, bundles §6. */
export function NewItem({ by }: { readonly by: Acting }): JSX.Element {
  const { address } = by;
  const read = useRead(
    `projects of ${address}`,
    (options) => moneta.mrc400Projects({ owner: address, limit: PROJECTS_MAX }, options),
    { live: true },
  );
  return <Shown read={read}>{({ items }) => <NewItemForm own={items} by={by} />}</Shown>;
}

export function NewItemForm({
  own = [],
  into,
  by,
}: {
  readonly own?: readonly ListedProject[];
  readonly into?: string;
  readonly by: Acting;
}): JSX.Element {
  const texts = walletTexts().things.newItem;
  const usual = into ?? own[0]?.id ?? NEW;
  const [initial] = useState(() => initialTexts(itemFields(undefined, by), locale()));
  const form = useFormState(initial);
  const chosen = form.value("mrc400id") || usual;
  const isNew = chosen === NEW;
  // The previous item may have made the first project.
  useEffect(() => {
    if (form.value("mrc400id") === "") {
      form.type("mrc400id", usual);
    }
  });
  const project = isNew ? undefined : projectOf(chosen).value;
  const fields = itemFields(project, by);
  const propose = async (account: OpenAccount): Promise<Proposal> => {
    const whole = isNew ? undefined : await moneta.mrc400({ mrc400id: chosen });
    const { project: _, terms: __, ...asked } = itemFields(whole, by);
    const subject = subjectOf(whole, by);
    const members = await readMembers(NEW_ITEM, { form, fields: asked, initial, subject });
    const { address } = account;
    const facts = operationFacts(NEW_ITEM, { members, fields: asked, subject, own: address });
    if (whole !== undefined) {
      return {
        request: requestOf(NEW_ITEM, members, subject),
        title: titleOf(members),
        facts: [
          ...facts,
          [texts.project, <UntrustedText text={whole.name} />],
          [
            texts.holder,
            members["to"] === undefined && <WhoLink address={whole.owner} own={address} />,
          ],
        ],
      };
    }
    const keySet = knownKeySet(address);
    if (
      keySet !== undefined &&
      needsOthers(account, keySet, { operation: "bundle", request: {} })
    ) {
      throw new FieldError("name", texts.together);
    }
    const name = form.optional("project") ?? withoutNumber(String(nameOf(members)));
    const imageurl = members["item_image_url"];
    const terms = form.value("terms");
    const { tkey, mrc400id, ...made } = await newProject(account, { name, imageurl, terms });
    const draft = membersOf(NEW_PROJECT, made.members, NOTHING);
    const operations = [
      { operation: "mrc400create", ...requestOf(NEW_PROJECT, draft, NOTHING) },
      { operation: "mrc401create", mrc400id, itemdata: [members] },
    ] as readonly BundledOperation[];
    const ofProject = operationFacts(NEW_PROJECT, {
      ...{ members: draft, subject: NOTHING, own: address },
      fields: formFields(NEW_PROJECT, NOTHING, by),
    });
    return {
      request: { tkey, operations },
      title: titleOf(members),
      facts: [
        ...facts,
        [fieldLabel("terms"), optionText(terms)],
        [
          texts.newProject,
          <details>
            <summary>
              <UntrustedText text={name} />
            </summary>
            <Facts facts={ofProject} />
          </details>,
        ],
      ],
    };
  };
  const choices: readonly Found[] = [
    ...own.map(
      ({ id, name, image_url }) => ({ kind: "project", id, name, image: image_url }) as const,
    ),
    { kind: "project", id: NEW, name: texts.newProject },
  ];
  const picked = choices.find(({ id }) => id === chosen);
  const written = (
    <WriteForm
      form={form}
      operation={isNew ? "bundle" : "mrc401create"}
      propose={propose}
      explain={explainer(form, fields)}
      another={texts.another}
      done={({ state: { result } }, again) => (
        <Made result={result} name={form.value("name")} canSell={form.value("sell_price") === ""}>
          {again}
        </Made>
      )}
    >
      {own.length > 0 && (
        <PickerField
          form={form}
          name="mrc400id"
          label={texts.project}
          own={choices}
          kind="none"
          check={() => (picked === undefined ? texts.noProject : undefined)}
          placeholder="MRC400_…"
          {...(picked && { chosen: <UntrustedName name={picked.name} max={NAME_MAX} /> })}
        />
      )}
      <OperationFields form={form} fields={fields} reading={readingNow(form, fields)} />
    </WriteForm>
  );
  return into !== undefined ? (
    written
  ) : (
    <div class="deed">
      <div>{written}</div>
      <Preview form={form} project={project} />
    </div>
  );
}

/** As a gallery will show it, with the ledger's resolution. */
function Preview({
  form,
  project,
}: {
  readonly form: FormState;
  readonly project: Project | undefined;
}): JSX.Element {
  const texts = walletTexts().things.newItem;
  const name = form.value("name");
  const price = form.value("sell_price");
  const url = form.value("item_image_url") || (project?.item_image_url ?? "");
  return (
    <section class="card item-preview" aria-label={texts.preview}>
      <Picture url={url} name={name} seed={name} />
      <p>
        {name === "" ? <span class="quiet">{texts.preview}</span> : <UntrustedText text={name} />}
        <br />
        <span class="quiet">
          {price === "" ? texts.notPriced : `${price} ${tokenName(form.value("sell_token"))}`}
        </span>
      </p>
    </section>
  );
}

/** A new project is the account's own, and bounds nothing. */
function subjectOf(project: Project | undefined, { address }: Acting): Subjects["project"] {
  const draft = { id: "", owner: address, name: "", partner: {}, policy: {} };
  return { kind: "project", project: project ?? (draft as unknown as Project) };
}

/** Those that name a new project are required. */
function itemFields(project: Project | undefined, by: Acting): Fields {
  const fields = formFields(NEW_ITEM, subjectOf(project, by), by);
  const { name, item_image_url, ...others } = fields;
  if (project !== undefined || name === undefined || item_image_url === undefined) {
    return fields;
  }
  const { name: ofProject, ...terms } = fieldsOf("mrc400create", "+name +terms", {
    terms: { initial: "fixed" },
  });
  return {
    name: { ...name, isNeeded: true },
    item_image_url: { ...item_image_url, isNeeded: true },
    ...others,
    ...(ofProject === undefined ? {} : { project: { ...ofProject, isNeeded: false } }),
    ...terms,
  };
}

function nameOf({ attributes }: Values): unknown {
  return (attributes as Values | undefined)?.["name"] ?? "";
}

/** `Boats #1` is of the project `Boats`; a number alone stays. */
function withoutNumber(name: string): string {
  return name.replace(/[\s#№.:-]*[0-9]+\s*$/, "").trim() || name;
}

function priceOf({ sell_price: price, sell_token: token = "0" }: Values): string | undefined {
  return typeof price === "bigint" && price > 0n ? amountText(price, String(token)) : undefined;
}

function titleOf(members: Values): string {
  const texts = walletTexts().things.newItem;
  const name = String(nameOf(members)) || texts.item;
  const price = priceOf(members);
  return price === undefined ? texts.title(name) : texts.titleOnSale(name, price);
}
