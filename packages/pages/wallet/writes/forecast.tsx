import {
  type CallOptions,
  type ForecastWrite,
  type Moneta,
  ProblemError,
  type ProposalEffects,
  ProposalForecast,
  type Thing,
} from "@moneta/sdk";
import type { ComponentChildren, JSX } from "preact";
import { RecordSentence } from "../../explorer/transaction/record-sentence.tsx";
import type { Read } from "../../ledger/use-read.ts";
import { AmountText } from "../../parts/amount-text.tsx";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Shown } from "../../parts/shown.tsx";
import { t } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { actorOf } from "../accounts/accounts.ts";
import { unitsText } from "../operations/thing-text.ts";
import { WhoLink } from "../operations/who-link.tsx";
import { bundledBy, clientFor, keepUnused, OF_KEY, takeUnused } from "./writes.ts";

const NO_FORECASTS = "9404";

/** The reason is not the operation itself. Source: conventions §3 */
export function isNoForecast(error: unknown): boolean {
  return !(error instanceof ProblemError) || error.code.startsWith("9");
}

/** Movements of all parties, from the node. Source: batches §2.11 */
export function ForecastEffects({
  read,
  own,
  signers,
}: {
  readonly read: Read<ProposalForecast>;
  readonly own: string;
  /** A proposal's signers, shown even without movements; such operations are then a sentence. */
  readonly signers?: readonly string[];
}): JSX.Element {
  const texts = walletTexts().swap;
  const { error, again } = read;
  if (error instanceof ProblemError && error.code === NO_FORECASTS) {
    return <p class="notice warn">{texts.noForecast}</p>;
  }
  return (
    <section class="stack" aria-labelledby="forecast">
      <h3 id="forecast">{texts.effects}</h3>
      <Shown read={read}>
        {(forecast) => (
          <>
            {forecast.problem !== undefined && (
              <>
                <p class="notice warn">
                  {forecast.problem.code === "9002"
                    ? texts.unfinishedForecast
                    : texts.wouldBeRefused(signers && forecast.problem.index)}
                </p>
                <Problem error={forecast.problem} again={again} />
              </>
            )}
            {forecast.problem === undefined && (
              <ul class="plain forecast-parties">
                {partiesOf(signers ?? [own], forecast, own)
                  .filter((one) => signers !== undefined || one.address === own || moves(one))
                  .map((effects) => (
                    <li key={effects.address}>
                      <Party
                        effects={effects}
                        own={own}
                        hasSentences={signers !== undefined}
                        made={madeIn(forecast)}
                      />
                    </li>
                  ))}
              </ul>
            )}
            <p class="quiet">{texts.forecast}</p>
          </>
        )}
      </Shown>
    </section>
  );
}

/** Throws as `Moneta.dryRun`. */
export async function forecastOf(
  client: Moneta,
  write: { readonly operation: string; readonly params: object },
  options: CallOptions,
): Promise<ProposalForecast> {
  return ProposalForecast.of(await client.dryRun([write as ForecastWrite], options));
}

/**
 * Nothing is signed: its temporary key serves the next write. Throws the ProblemError that would
 * refuse it, and failures of the forecast itself (`isNoForecast`). Source: batches §2, Clients
 */
export async function forecast(
  order: {
    readonly account: OpenAccount;
    readonly operation: string;
    readonly request: object;
  },
  options: CallOptions,
): Promise<ProposalForecast> {
  const { account, operation, request } = order;
  const actor = await actorOf(account);
  actor.keepKey(takeUnused(account.address));
  const bundled = bundledBy(actor, order);
  const write =
    bundled === undefined
      ? await actor.draft(operation, request)
      : await actor.draftBundle(bundled);
  const found = await forecastOf(clientFor(account), write, options);
  if (!OF_KEY.has(found.problem?.code ?? "")) {
    keepUnused({ actor: account.address, params: write.params });
  }
  if (found.problem !== undefined) {
    throw found.problem;
  }
  return found;
}

/** The reader first, then signers, then other parties. */
function partiesOf(
  signers: readonly string[],
  forecast: ProposalForecast,
  own: string,
): readonly ProposalEffects[] {
  const known = new Set([...signers, ...forecast.addresses]);
  const all = [...known].toSorted((a, b) => Number(b === own) - Number(a === own));
  return all.map((address) => forecast.of(address));
}

/** New tokens and items, which the node cannot name, and whether several addresses share each. */
function madeIn({ records }: ProposalForecast): Made {
  return new Map(
    records.flatMap((record) =>
      [record, ...record.effects].flatMap(({ type, token, parameters: [id = ""] }) =>
        type === "tokenRegister"
          ? [[String(token), record.effects.some((one) => one.type === "token_reserve")] as const]
          : /^mrc40[12]_?create$/.test(type)
            ? [[id, false] as const]
            : [],
      ),
    ),
  );
}

type Made = ReadonlyMap<string, boolean>;

const moves = ({ gives, gets }: ProposalEffects): boolean => gives.length + gets.length > 0;

function Party({
  effects: { address, gives, gets, steps },
  own,
  hasSentences,
  made,
}: {
  readonly effects: ProposalEffects;
  readonly own: string;
  readonly hasSentences: boolean;
  readonly made: Made;
}): JSX.Element {
  const texts = walletTexts().swap;
  const words = texts[address === own ? "you" : "they"];
  const isNewItem = (thing: Thing): boolean => thing.is === "item" && made.has(thing.item);
  const newItems = gets.filter(isNewItem).length;
  const silent = steps.filter(
    ({ movement: { tokens, items, units } }) =>
      hasSentences && tokens.size + items.size + units.size === 0,
  );
  return (
    <dl class="forecast-party">
      <dt>
        <WhoLink address={address} own={own} />
      </dt>
      {gives.map((thing) => (
        <dd key={`- ${nameOf(thing)}`}>
          <span class="badge">{words.gives}</span> <ThingText thing={thing} made={made} />
        </dd>
      ))}
      {gets
        .filter((thing) => !isNewItem(thing))
        .map((thing) => (
          <dd key={`+ ${nameOf(thing)}`}>
            <span class="badge good">{words.gets}</span> <ThingText thing={thing} made={made} />
          </dd>
        ))}
      {newItems > 0 && (
        <dd>
          <span class="badge good">{words.gets}</span> {texts.newItems(newItems)}
        </dd>
      )}
      {silent.map(({ index, record }) => (
        <dd key={`${index} ${record.type}`}>
          <RecordSentence record={record} />
        </dd>
      ))}
      {gives.length + gets.length + silent.length === 0 && <dd class="quiet">{words.nothing}</dd>}
    </dl>
  );
}

function ThingText({
  thing,
  made,
}: {
  readonly thing: Thing;
  readonly made: Made;
}): ComponentChildren {
  switch (thing.is) {
    case "token":
      return made.has(thing.token) ? (
        walletTexts().swap.newToken(made.get(thing.token) === true)
      ) : (
        <AmountText amount={thing.amount} token={thing.token} isExact />
      );
    case "item":
      return (
        <>
          <span class="badge">{t().explorer.item.item}</span> <ThingLink id={thing.item} />
        </>
      );
    case "units":
      return made.has(thing.item) ? (
        walletTexts().operations.unitsOf(unitsText(thing.amount), walletTexts().swap.newItems(1))
      ) : (
        <>
          {unitsText(thing.amount)} <ThingLink id={thing.item} />
        </>
      );
  }
}

function nameOf(thing: Thing): string {
  return thing.is === "token" ? thing.token : thing.item;
}
