import {
  derivedId,
  invariant,
  itemIds,
  type LedgerReader,
  type Outcome,
  RULES,
  type RuledOperation,
  sealId,
  sha256,
  temporaryKeysOf,
} from "@moneta/ledger";
import {
  ADDRESS_MIDDLE_LENGTH,
  type Address,
  type Amount,
  type AnyOperation,
  addressAround,
  address as addressOperation,
  addressRecoverFinish,
  type Bundle,
  drawBase62,
  type Fault,
  type FaultCode,
  faucet as faucetOperation,
  type GivenKey,
  grant,
  isSigned,
  itemNumberOf,
  itemsResult,
  keptKey,
  listedResult,
  littleEndianBase62,
  marketResult,
  mrc010Auctionfinish,
  type mrc020,
  mrc020Open,
  mrc400Create,
  mrc401Auctionfinish,
  type mrc401Create,
  mrc401Offer,
  mrc401Offerfinish,
  mrc402Auctionfinish,
  type mrc402Create,
  mrc402Offer,
  mrc402Offerfinish,
  type mrc402Sell,
  OPERATIONS,
  type OperationRecord,
  operationRecords,
  orderExchangeResult,
  orderRequestResult,
  orderResult,
  parseTransactionId,
  Refused,
  type Request,
  type Result,
  refuse,
  sealedResult,
  signedBundle,
  type TransactionRecord,
  tokenResult,
  tokenSave,
  transactionIdResult,
  unitItemsResult,
  unitListingsResult,
  type ValuesOf,
} from "@moneta/protocol";
import type { AdmittedOutcome, Origin } from "../../admission/admission.ts";
import { randomByte } from "../../admission/temporary-keys.ts";
import type { Service } from "../../service.ts";
import { UNTIL_MENDED_SECONDS } from "../../write-state.ts";
import { doneResult, problemResult, skippedResult } from "../batches/operation-result.ts";
import { type Answer, json, jsonText, nothing, plain } from "../responses/answer.ts";

export type WriteHandler = (
  service: Service,
  request: Request,
  origin: WriteOrigin,
) => Promise<Answer | Refused>;

export interface WriteOrigin extends Origin {
  readonly client: string;
  /** The header, or its replacement. */
  readonly idempotencyKey: string | undefined;
}

interface Written {
  readonly transactionId: string;
  readonly actor: Address;
  readonly request: Request;
  readonly temporaryKey: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of an operation of a bundle; else the record of its transaction. */
  readonly record?: () => TransactionRecord;
}

type Answerer = (written: Written, service: Service) => Answer;

const ANSWERERS: ReadonlyMap<Result, Answerer> = new Map<Result, Answerer>([
  [transactionIdResult, answerTransactionId],
  [marketResult, answerMarket],
  [listedResult, answerListed],
  [itemsResult, answerItems],
  [unitItemsResult, answerUnitItems],
  [unitListingsResult, answerUnitListings],
  [tokenResult, answerToken],
  [orderResult, answerOrder],
  [orderRequestResult, answerOrderRequest],
  [orderExchangeResult, answerOrderExchange],
  [sealedResult, answerSealed],
  [tokenSave.result, ({ temporaryKey, headers }) => plain(temporaryKey, headers)],
  [mrc400Create.result, answerProject],
  [
    grant.result,
    ({ actor, request: { params }, ...written }) =>
      json(
        { ...transactionIds(written), grantid: derivedId("GRT", actor, params["tkey"] ?? "") },
        written.headers,
      ),
  ],
  [mrc401Offer.result, answerOffer("OFF401")],
  [mrc402Offer.result, answerOffer("OFF402")],
]);

export const WRITES: ReadonlyMap<string, WriteHandler> = new Map([
  ...OPERATIONS.filter(isSigned).map(({ name }): [string, WriteHandler] => [
    name,
    signedWrite(RULES.get(name) as RuledOperation),
  ]),
  [signedBundle.name, writeBundle],
  [addressOperation.name, createAddress],
  [faucetOperation.name, callFaucet],
  ...[
    addressRecoverFinish,
    mrc010Auctionfinish,
    mrc401Auctionfinish,
    mrc402Auctionfinish,
    mrc401Offerfinish,
    mrc402Offerfinish,
    mrc020Open,
  ].map((operation): [string, WriteHandler] => [operation.name, unsignedWrite(operation)]),
]);

const READ_RESULTS: ReadonlySet<Result> = new Set<Result>([
  tokenResult,
  orderResult,
  orderRequestResult,
  orderExchangeResult,
]);

/** Waits until the write can be read, if the response needs that. Refused with 9004. */
export async function unseen(
  { caughtUp }: Service,
  done: readonly Pick<AnyOperation, "result">[],
): Promise<Refused | undefined> {
  const isRead = done.some(({ result }) => READ_RESULTS.has(result));
  return isRead && (await caughtUp()) !== undefined ? UNSEEN : undefined;
}

const UNSEEN = refuse({ code: "9004", retryAfter: UNTIL_MENDED_SECONDS });

function signedWrite(ruled: RuledOperation): WriteHandler {
  const { name, result } = ruled.operation;
  invariant(ANSWERERS.has(result), `there is a way to answer ${name}`);
  return async (service, request, origin) => {
    const reader = service.reading();
    const outcome = await service.admission.submit([{ ruled, request }], origin);
    return outcome.kind === "refused"
      ? refuse(outcome.fault)
      : ((await unseen(service, [ruled.operation])) ??
          answerSigned(service, reader, ruled, {
            transactionId: outcome.transactionIds[0],
            actor: outcome.actors[0] as Address,
            request,
          }));
  };
}

/** Source: bundles §7. */
async function writeBundle(
  service: Service,
  request: Request,
  origin: WriteOrigin,
): Promise<Answer | Refused> {
  const ruled = RULES.get(signedBundle.name) as RuledOperation;
  const reader = service.reading();
  const outcome = await service.admission.submit([{ ruled, request }], origin);
  if (outcome.kind === "refused") {
    return refuse(outcome.fault, outcome.index);
  }
  const { operations } = request.values["body"] as Bundle;
  const described = operations.map(({ operation }) => operation);
  // The response to a repeat is made from the first record.
  const late =
    outcome.kind === "repeat" && (await service.caughtUp()) !== undefined
      ? UNSEEN
      : await unseen(service, described);
  if (late !== undefined) {
    return late;
  }
  const [transactionId] = outcome.transactionIds;
  const { actor } = request.values as { readonly actor: Address };
  const written = writtenBy(service, reader, ruled, { transactionId, actor, request });
  let records: readonly OperationRecord[] | undefined;
  const recordAt = (at: number): TransactionRecord => {
    records ??= operationRecords(recordOf(written, service));
    return records.find(({ index }) => index === at)?.record as TransactionRecord;
  };
  const skipped = skippedBy(outcome, () => recordOf(written, service));
  const results = operations.map(({ operation, request: own }, index) => {
    const left = skipped.get(index);
    if (left !== undefined) {
      return left;
    }
    const answer = ANSWERERS.get(operation.result) as Answerer;
    const member = { ...written, request: own, headers: {}, record: () => recordAt(index) };
    return doneResult(answer(member, service));
  });
  const body = `{"transaction_id":"${transactionId}","results":[${results.join(",")}]}`;
  return jsonText(body, written.headers);
}

/** For a repeat, the record has only the codes. */
function skippedBy(
  outcome: Exclude<AdmittedOutcome, { readonly kind: "refused" }>,
  record: () => TransactionRecord,
): ReadonlyMap<number, string> {
  if (outcome.kind === "done") {
    const { skipped = [] } = outcome;
    return new Map(skipped.map(({ index, fault }) => [index, problemResult(index, fault)]));
  }
  const [, text = "[]"] = record().parameters;
  const codes = JSON.parse(text) as readonly (readonly [number, FaultCode])[];
  return new Map(codes.map(([index, code]) => [index, skippedResult(index, code)]));
}

/** `reader` need not be open any more. */
export function answerSigned(
  service: Service,
  reader: LedgerReader,
  ruled: RuledOperation,
  done: Pick<Written, "transactionId" | "actor" | "request">,
): Answer {
  const answer = ANSWERERS.get(ruled.operation.result) as Answerer;
  return answer(writtenBy(service, reader, ruled, done), service);
}

function writtenBy(
  service: Service,
  reader: LedgerReader,
  ruled: RuledOperation,
  { transactionId, actor, request }: Pick<Written, "transactionId" | "actor" | "request">,
): Written {
  const [key] = temporaryKeysOf(ruled, request);
  invariant(key !== undefined, "the key has been found to be the actor's");
  const { keys, clock } = service;
  const temporaryKey = keys.issue(key.addressNumber, reader.timeAt(clock()));
  const headers = { "Transaction-Id": transactionId, "Replay-Nonce": temporaryKey };
  return { transactionId, actor, request, temporaryKey, headers };
}

function answerTransactionId({ transactionId, headers }: Written): Answer {
  return json({ transaction_id: transactionId }, headers);
}

/** Source: tokens §1.3. */
function answerToken(written: Written, service: Service): Answer {
  const { token } = recordOf(written, service);
  return nothing({ ...written.headers, Location: `/token/${token}` });
}

/** The response to a repeat is made from it. */
function recordOf(
  { transactionId, record }: Written,
  { readingNewest }: Service,
): TransactionRecord {
  if (record !== undefined) {
    return record();
  }
  const name = parseTransactionId(transactionId);
  const written = name && readingNewest().transaction(name);
  invariant(written !== undefined, "what was answered is in the ledger");
  return JSON.parse(written.transaction.record) as TransactionRecord;
}

/** Source: protocols §10. */
function answerOrder(written: Written, service: Service): Answer {
  const { parameters, effects } = recordOf(written, service);
  const { status, remainqtt } = effects.at(-1)?.values ?? {};
  return json(
    {
      ...transactionIds(written),
      ...{ mrc040id: parameters[6], status, remainqtt, trades: tradesIn(effects) },
    },
    written.headers,
  );
}

/** Source: protocols §10. */
function answerOrderRequest(written: Written, service: Service): Answer {
  const { parameters, effects } = recordOf(written, service);
  const [doneqtt, amount] = parameters.slice(7);
  return json(
    {
      ...transactionIds(written),
      ...{ doneqtt, amount, trades: tradesIn(effects) },
    },
    written.headers,
  );
}

/** Source: protocols §10. */
function answerOrderExchange(written: Written, service: Service): Answer {
  const { effects } = recordOf(written, service);
  return json(
    {
      ...transactionIds(written),
      trades: tradesIn(effects),
    },
    written.headers,
  );
}

function tradesIn(effects: TransactionRecord["effects"]): object[] {
  return effects
    .filter(({ type }) => type === "stodexExchangeRequest")
    .map(({ parameters: [, , , , , price, qtt, , mrc040id, id, amount] }) => ({
      ...{ id, mrc040id, price, qtt, amount },
    }));
}

/** Source: conventions §8.2. */
function transactionIds({ transactionId }: Pick<Written, "transactionId">) {
  return { transaction_id: transactionId, txid: transactionId };
}

/** Source: conventions §8.2. */
function answerMarket({
  transactionId,
  headers,
}: Pick<Written, "transactionId" | "headers">): Answer {
  return json(transactionIds({ transactionId }), headers);
}

/** Source: tokens §9. */
function answerListed({ transactionId, actor, request, headers }: Written): Answer {
  const mrc010dexid = derivedId("DEX010", actor, request.params["tkey"] ?? "");
  return json({ ...transactionIds({ transactionId }), mrc010dexid }, headers);
}

/** Source: offers §2. */
function answerOffer(kind: "OFF401" | "OFF402"): Answerer {
  return ({ transactionId, actor, request, headers }) => {
    const offerid = derivedId(kind, actor, request.params["tkey"] ?? "");
    return json({ ...transactionIds({ transactionId }), offerid }, headers);
  };
}

/** Source: protocols §6. */
function answerSealed(written: Written): Answer {
  const { owner, referencekey } = written.request.values as ValuesOf<typeof mrc020.parameters>;
  const mrc020key = sealId(owner, referencekey);
  return json({ ...transactionIds(written), mrc020key }, written.headers);
}

/** Source: mrc401 §3. */
function answerProject(
  { transactionId, actor, request, headers }: Written,
  { settings }: Service,
): Answer {
  const mrc400id = derivedId("MRC400", actor, request.params["tkey"] ?? "");
  return settings["mrc400-answer"] === "text"
    ? plain(mrc400id, headers)
    : json({ ...transactionIds({ transactionId }), mrc400id }, headers);
}

/** Source: mrc401 §7. */
function answerItems({ transactionId, request, headers }: Written): Answer {
  const { mrc400id, itemdata, tkey } = request.values as ValuesOf<typeof mrc401Create.parameters>;
  const numbers = itemdata.entries.map(itemNumberOf);
  const mrc401ids = itemIds({ kind: "MRC401", mrc400id, tkey, numbers });
  return json({ ...transactionIds({ transactionId }), mrc401ids }, headers);
}

/** Source: mrc402 §4, §5. */
function answerUnitItems({ transactionId, actor, request, headers }: Written): Answer {
  const { mrc400id, itemdata, tkey } = request.values as ValuesOf<typeof mrc402Create.parameters>;
  const answer = transactionIds({ transactionId });
  if (itemdata === undefined) {
    return json({ ...answer, mrc402id: derivedId("MRC402", actor, tkey) }, headers);
  }
  const numbers = itemdata.entries.map(itemNumberOf);
  const mrc402ids = itemIds({ kind: "MRC402", mrc400id, tkey, numbers });
  const mrc402dexids = itemdata.entries.flatMap(({ sell_price }, index) =>
    sell_price > 0n ? [derivedId("DEX402", actor, tkey, String(index))] : [],
  );
  const listings = mrc402dexids.length === 0 ? {} : { mrc402dexids };
  return json({ ...answer, mrc402ids, ...listings }, headers);
}

/** Source: mrc402 §11. */
function answerUnitListings({ transactionId, actor, request, headers }: Written): Answer {
  const { itemdata, tkey } = request.values as ValuesOf<typeof mrc402Sell.parameters>;
  const answer = transactionIds({ transactionId });
  const idAt = (index: number): string => derivedId("DEX402", actor, tkey, String(index));
  return itemdata === undefined
    ? json({ ...answer, mrc402dexid: idAt(0) }, headers)
    : json({ ...answer, mrc402dexids: itemdata.entries.map((_, index) => idAt(index)) }, headers);
}

/** Anybody may send it. Source: tokens §12, protocols §6. */
function unsignedWrite({ name }: AnyOperation): WriteHandler {
  const ruled = RULES.get(name) as RuledOperation;
  return async ({ admission, reading }, request, origin) => {
    reading();
    const outcome = await admission.submit([{ ruled, request }], origin);
    return outcome.kind === "refused"
      ? refuse(outcome.fault)
      : answerUnsigned(outcome.transactionIds[0]);
  };
}

function answerUnsigned(transactionId: string): Answer {
  return answerMarket({ transactionId, headers: { "Transaction-Id": transactionId } });
}

/** Source: accounts §4. */
async function createAddress(
  { reading, readingNewest, caughtUp, admission, keys }: Service,
  request: Request,
  origin: WriteOrigin,
): Promise<Answer | Refused> {
  const reader = reading();
  const address = chooseAddress(reader, request, origin.idempotencyKey);
  if (address instanceof Refused) {
    return address;
  }
  const known = reader.state.address(address);
  const earlier = known && reader.transactionIdOf(known.transactionNumber);
  const ruled = RULES.get(addressOperation.name) as RuledOperation;
  const outcome: Outcome =
    earlier === undefined
      ? await admission.submit([{ ruled, request, decided: { address } }], origin)
      : { kind: "repeat", transactionIds: [earlier] };
  if (outcome.kind === "refused") {
    return refuse(origin.idempotencyKey === undefined ? doneAgain(outcome.fault) : outcome.fault);
  }
  if ((await caughtUp()) !== undefined) {
    return refuse(doneAgain(UNSEEN.fault));
  }
  const { state } = readingNewest();
  const created = state.address(address);
  invariant(created !== undefined, "the address is in the ledger");
  return plain(address, {
    "Transaction-Id": outcome.transactionIds[0],
    "Replay-Nonce": keys.issue(created.number, state.time),
  });
}

/** The same request is no repeat. Source: cluster §3. */
function doneAgain(fault: Fault): Fault {
  return fault.code === "9004" ? { ...fault, isDoneAgain: true } : fault;
}

/** Or the one of an `Idempotency-Key`. Source: accounts §4. */
export function chooseAddress(
  reader: LedgerReader,
  request: Request,
  idempotencyKey: string | undefined,
): Address | Refused {
  if (idempotencyKey !== undefined && !/^[\x20-\x7e]{1,255}$/.test(idempotencyKey)) {
    const reason = "must be 1 to 255 printable ASCII characters";
    return refuse({ code: "3005", parameter: "Idempotency-Key", reason });
  }
  const { addinfo, signed, ...key } = request.values as GivenKey & {
    addinfo: string;
    signed: string;
  };
  if (idempotencyKey !== undefined) {
    const { publickey, ...passkey } = keptKey(key);
    const of = key.kind === "raw" ? publickey : { publickey, ...passkey };
    const text = JSON.stringify(["address", of, addinfo, signed, idempotencyKey]);
    return addressAround(littleEndianBase62(sha256.bytes(text), ADDRESS_MIDDLE_LENGTH));
  }
  let address: Address;
  do {
    address = addressAround(drawBase62(ADDRESS_MIDDLE_LENGTH, randomByte));
  } while (reader.state.addressNumber(address) !== undefined);
  return address;
}

/** Source: accounts §13. */
async function callFaucet(
  { faucet, reading, clock }: Service,
  request: Request,
): Promise<Answer | Refused> {
  if (faucet === undefined) {
    return refuse({ code: "9404", path: "/faucet" });
  }
  const { address, amount: asked } = request.values as {
    address: Address;
    amount: Amount | undefined;
  };
  const { outcome, amount } = await faucet.give(reading(), address, asked, clock());
  if (outcome.kind === "refused") {
    return refuse(doneAgain(outcome.fault));
  }
  const [transactionId] = outcome.transactionIds;
  return json(
    { transaction_id: transactionId, amount: String(amount) },
    { "Transaction-Id": transactionId },
  );
}
