import { shortId } from "@moneta/sdk";
import type { ComponentType, JSX } from "preact";
import { lazy } from "preact-iso";
import { link } from "../../explorer/links.ts";
import { pairOf } from "../../explorer/order/pair.ts";
import { View } from "../../frame/view.tsx";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { Shown } from "../../parts/shown.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { Acting } from "../operations/operation-form.ts";
import { openOperations, operationAt } from "../operations/operations.ts";
import { readSubject, type Subject, type SubjectPlace } from "../operations/subject.ts";
import { subjectName } from "../operations/thing-text.ts";
import { useActing } from "../operations/use-acting.ts";
import { InWallet } from "./in-wallet.tsx";
import { ThingFacts } from "./thing-facts.tsx";
import "./things.css";

// Forms are much larger than facts.
const OperationCard = lazy(
  async () => (await import("../operations/operation-card.tsx")).OperationCard,
);
const NewItemForm = lazy(async () => (await import("./new-item.tsx")).NewItemForm);
const ItemsTable = lazy(async () => (await import("./items-table.tsx")).ItemsTable);

/** Ends what the account has begun. */
const UNDOES = /^(?:take-back|withdraw|cancel)/;

type Place = Exclude<SubjectPlace, "new">;

/** Not an operation of its own: many of one. */
const TABLE = "new-items";

/** The account's holding and its operations. Source: explorer §3 */
export function thingView(place: Place): ComponentType<{ readonly id: string }> {
  return ({ id }) => <ThingView place={place} id={id} />;
}

/** `?do=` names the operation to show; without it all possible ones are. */
function ThingView({ place, id }: { readonly place: Place; readonly id: string }): JSX.Element {
  const { query } = useQuery();
  const by = useActing();
  const address = by?.address;
  const { do: action, item } = query;
  const read = useRead(
    `${place} ${id} ${item ?? ""} for ${address ?? ""}`,
    (options) => readSubject(moneta, { place, id, address, item }, options),
    { live: true },
  );
  const subject = read.value;
  const name = subject === undefined ? shortId(id) : nameOf(subject);
  const buttons: Readonly<Record<string, string>> = walletTexts().operations.buttons;
  const title = action === undefined ? name : `${buttons[action] ?? action}: ${name}`;
  return (
    <View title={title} heading={<UntrustedText text={title} max={120} />}>
      <Shown read={read}>
        {(shown) =>
          by !== undefined && (
            <InWallet>
              {action === undefined ? (
                <>
                  <Possible subject={shown} by={by} />
                  <ThingFacts subject={shown} by={by} />
                </>
              ) : (
                <div class="deed">
                  <div>
                    <Deed
                      key={`${id} ${item ?? ""} ${action} ${by.address}`}
                      action={action}
                      subject={shown}
                      by={by}
                    />
                  </div>
                  <div>
                    <ThingFacts subject={shown} by={by} isBeside />
                  </div>
                </div>
              )}
              <p>
                <a href={place === "pair" ? link.pair(pairOf(id)) : link[place](id)}>
                  {walletTexts().operations.inExplorer}
                </a>
              </p>
            </InWallet>
          )
        }
      </Shown>
    </View>
  );
}

/** That of an order is a sentence without a beginning. */
function nameOf(subject: Subject): string {
  const name = subjectName(subject);
  return subject.kind === "order" ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
}

function Deed({
  action,
  subject,
  by,
}: {
  readonly action: string;
  readonly subject: Subject;
  readonly by: Acting;
}): JSX.Element {
  const { at } = useQuery();
  const operation = operationAt(subject, action);
  return (
    <>
      <p>
        <a href={at({ do: undefined })}>{walletTexts().operations.allActions}</a>
      </p>
      {action === TABLE && subject.kind === "project" ? (
        <ItemsTable subject={subject} />
      ) : action === "new-item" && subject.kind === "project" ? (
        <NewItemForm into={subject.project.id} by={by} />
      ) : operation === undefined ? (
        <p class="empty">{walletTexts().operations.nothingToDo}</p>
      ) : (
        <OperationCard operation={operation} subject={subject} by={by} />
      )}
    </>
  );
}

function Possible({
  subject,
  by,
}: {
  readonly subject: Subject;
  readonly by: Acting;
}): JSX.Element {
  const { at } = useQuery();
  const texts = walletTexts().operations;
  const buttons: Readonly<Record<string, string>> = texts.buttons;
  const open = openOperations(subject, by);
  const actions = open.flatMap(({ action }) =>
    action === "new-item" ? [action, TABLE] : [action],
  );
  const destructive = new Set(open.filter((one) => one.isDestructive).map(({ action }) => action));
  return (
    <nav class="card possible" aria-label={texts.actions}>
      {actions.length === 0 ? (
        <p class="empty">{texts.nothingToDo}</p>
      ) : (
        <ul class="actions plain">
          {actions.map((action, index) => (
            <li key={action}>
              <a
                class={`button ${destructive.has(action) ? "danger" : index === 0 && !UNDOES.test(action) ? "primary" : ""}`}
                href={at({ do: action })}
              >
                {buttons[action] ?? action}
              </a>
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}
