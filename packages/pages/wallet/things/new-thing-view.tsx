import type { JSX } from "preact";
import { NotFoundView } from "../../frame/not-found-view.tsx";
import { View } from "../../frame/view.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { OperationCard } from "../operations/operation-card.tsx";
import { operationAt } from "../operations/operations.ts";
import { useActing } from "../operations/use-acting.ts";
import { NewItem } from "./new-item.tsx";
import "./things.css";

/** Not an operation of its own: it may make a project, too. */
const ITEM = "item";

/** Source: explorer §3 */
export function NewThingView({ what }: { readonly what: string }): JSX.Element {
  const by = useActing();
  if (what === ITEM) {
    return (
      <View title={walletTexts().operations.buttons["new-item"]}>
        {by !== undefined && <NewItem key={by.address} by={by} />}
      </View>
    );
  }
  const operation = operationAt({ kind: "nothing" }, what);
  const buttons: Readonly<Record<string, string>> = walletTexts().operations.buttons;
  if (operation === undefined) {
    return <NotFoundView />;
  }
  return (
    <View title={buttons[what] ?? what}>
      {by !== undefined && (
        <OperationCard
          key={`${what} ${by.address}`}
          operation={operation}
          subject={{ kind: "nothing" }}
          by={by}
        />
      )}
    </View>
  );
}
