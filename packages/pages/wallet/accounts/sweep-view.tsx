import { type KeySet, type OwnedItem, shortId } from "@moneta/sdk";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { balancesByToken } from "../../explorer/address/token-balance.ts";
import { View } from "../../frame/view.tsx";
import { balancesUpTo } from "../../ledger/balances.ts";
import { moneta, now } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText, amountText, numberText } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { ItemName } from "../../parts/links/item-name.tsx";
import { plainList } from "../../parts/lists/plain-list.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Shown } from "../../parts/shown.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { AddressField } from "../fields/address-field.tsx";
import { useFormState } from "../fields/form-state.ts";
import { knownKeySet, needsOthers, readKeySet } from "../keys/key-sets.ts";
import { unitsText } from "../operations/thing-text.ts";
import { submit } from "../writes/writes.ts";
import type { OpenAccount } from "./account.ts";
import { AccountBadge } from "./account-badge.tsx";
import { actingAccount } from "./accounts.ts";

/** One sweep moves this many; the next one moves the rest. */
const ENTRIES_MAX = 1000;
const ITEMS_MAX = 100;
/** Proposed together. Source: batches §2.1. */
const GROUP_MAX = 16;

interface Movable {
  readonly tokens: readonly {
    readonly token: string;
    readonly free: bigint;
    readonly locked: bigint;
  }[];
  readonly items: readonly OwnedItem[];
  readonly isMore: boolean;
}

interface Move {
  readonly operation: string;
  readonly request: object;
  readonly title: string;
}

/** Moves all to another address, as keys cannot leave the browser. Source: explorer §3. */
export function SweepView(): JSX.Element {
  const texts = walletTexts().wallet.sweep;
  const account = actingAccount.value;
  return (
    <View title={texts.title}>
      {account !== undefined && <Sweep key={account.id} account={account} />}
    </View>
  );
}

function Sweep({ account }: { readonly account: OpenAccount }): JSX.Element {
  const texts = walletTexts().wallet.sweep;
  const { address } = account;
  const form = useFormState();
  const [isReviewed, setReviewed] = useState(false);
  const [failure, setFailure] = useState<Error | undefined>(undefined);
  const isBusy = useRef(false);
  const read = useRead(`movable ${address}`, () => readMovable(address), { live: true });
  const to = form.value("to");
  const keySet = knownKeySet(address);
  const isShared = keySet !== undefined && isSharedBy(account, keySet);

  const start = async (movable: Movable): Promise<void> => {
    if (isBusy.current) {
      return;
    }
    isBusy.current = true;
    setFailure(undefined);
    try {
      const moves = movesOf(movable, to);
      if (isSharedBy(account, knownKeySet(address) ?? (await readKeySet(address)))) {
        const { proposeWrites } = await import("../swap/sign-proposal.ts");
        await proposeWrites(account, moves.slice(0, GROUP_MAX));
        return;
      }
      for (const move of moves) {
        await submit({ account, ...move });
      }
      setReviewed(false);
    } catch (error) {
      setFailure(error as Error);
    } finally {
      isBusy.current = false;
    }
  };

  return (
    <section class="card write-form">
      <p>{texts.text}</p>
      <AccountBadge account={account} />
      {failure !== undefined && <Problem error={failure} />}
      <Shown read={read}>
        {(movable) =>
          movesOf(movable, to).length === 0 ? (
            <p role="status">{texts.nothing}</p>
          ) : isReviewed ? (
            <>
              <Facts
                facts={[
                  [walletTexts().wallet.send.to, <AddressLink address={to} whole />],
                  [
                    texts.tokens,
                    plainList(
                      movable.tokens.filter(({ free }) => free > 0n),
                      ({ token, free }) => <AmountText amount={free} token={token} isExact />,
                    ),
                  ],
                  [
                    texts.items,
                    plainList(movable.items, ({ balance, record }) => (
                      <>
                        {balance !== undefined && unitsText(balance)}{" "}
                        {record !== undefined && <ItemName item={record} />}
                      </>
                    )),
                  ],
                  [
                    texts.stays,
                    plainList(
                      movable.tokens.filter(({ locked }) => locked > 0n),
                      ({ token, locked }) => <AmountText amount={locked} token={token} />,
                    ),
                  ],
                ]}
              />
              {isShared && <p class="notice">{walletTexts().keys.together}</p>}
              {(movable.isMore || (isShared && movesOf(movable, to).length > GROUP_MAX)) && (
                <p class="notice warn">{texts.more}</p>
              )}
              <p class="actions">
                <button type="button" class="primary" onClick={() => void start(movable)}>
                  {isShared ? walletTexts().swap.sign : texts.sign(movesOf(movable, to).length)}
                </button>
                <button type="button" onClick={() => setReviewed(false)}>
                  {walletTexts().wallet.form.back}
                </button>
              </p>
            </>
          ) : (
            <form
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                if (!form.check()) {
                  return;
                }
                if (to === address) {
                  form.fail("to", texts.same);
                  return;
                }
                setReviewed(true);
              }}
            >
              <AddressField
                form={form}
                name="to"
                label={walletTexts().wallet.send.to}
                hint={texts.toHint}
              />
              <p class="actions">
                <button type="submit" class="primary">
                  {walletTexts().wallet.form.review}
                </button>
              </p>
            </form>
          )
        }
      </Shown>
    </section>
  );
}

function isSharedBy(account: OpenAccount, keySet: KeySet): boolean {
  return needsOthers(account, keySet, { operation: "transfer", request: {} });
}

async function readMovable(address: string): Promise<Movable> {
  const [{ entries, isMore }, { items, cursor }] = await Promise.all([
    balancesUpTo(ENTRIES_MAX, address),
    moneta.addressItems({ address, limit: ITEMS_MAX, view: "full" }),
  ]);
  const movable = items.filter((item) =>
    item.kind === "mrc402" ? (item.balance ?? 0n) > 0n : isFree(item),
  );
  return {
    tokens: balancesByToken(entries, now.peek()),
    items: movable,
    isMore: cursor !== undefined || isMore,
  };
}

/** Not on sale, on auction, or bound to its holder. */
function isFree({ record }: OwnedItem): boolean {
  return (
    record !== undefined &&
    "transferable" in record &&
    record.transferable !== "Bound" &&
    record.sell_date === 0 &&
    record.auction_date === 0
  );
}

/**
 * Each is sent by itself, so that a refused one stops no others; with other keys, those not refused
 * are proposed together.
 */
function movesOf({ tokens, items }: Movable, to: string): readonly Move[] {
  const texts = walletTexts().wallet.sweep;
  const short = shortId(to);
  const singles = items.filter(({ kind }) => kind === "mrc401").map(({ id }) => id);
  return [
    ...(singles.length === 0
      ? []
      : [
          {
            operation: "mrc401transfer",
            request: { toAddr: to, itemdata: singles },
            title: texts.moveItems(singles.length, short),
          },
        ]),
    ...items
      .filter(({ kind }) => kind === "mrc402")
      .map(({ id, balance = 0n }) => ({
        operation: "mrc402transfer",
        request: { mrc402id: id, toAddr: to, amount: balance },
        title: texts.moveUnits(numberText(balance), short),
      })),
    ...tokens
      .filter(({ free }) => free > 0n)
      .map(({ token, free: amount }) => ({
        operation: "transfer",
        request: { to, token, amount },
        title: walletTexts().wallet.send.done(amountText(amount, token), short),
      })),
  ];
}
