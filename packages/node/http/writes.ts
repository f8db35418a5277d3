import { type Outcome, RULES, type RuledOperation, sha256 } from "@moneta/ledger";
import {
  ADDRESS_MIDDLE_LENGTH,
  type Address,
  type Amount,
  addressAround,
  address as addressOperation,
  drawBase62,
  faucet as faucetOperation,
  littleEndianBase62,
  OPERATIONS,
  type PublicKey,
  parseTemporaryKey,
  type Refused,
  type Request,
  refuse,
} from "@moneta/protocol";
import type { Service } from "../service.ts";
import { randomByte } from "../temporary-keys.ts";
import { type Answer, json, plain } from "./answer.ts";

/** Answers a write whose parameters are well-formed. `header` looks up a request header. */
export type WriteHandler = (
  service: Service,
  request: Request,
  header: (name: string) => string | undefined,
) => Promise<Answer | Refused>;

/** A handler for every write. What a signature is all there is to say of has one handler for all. */
export const WRITES: ReadonlyMap<string, WriteHandler> = new Map([
  ...OPERATIONS.filter(({ temporaryKey }) => temporaryKey !== undefined).map(
    ({ name }): [string, WriteHandler] => [name, signedWrite(RULES.get(name) as RuledOperation)],
  ),
  [addressOperation.name, createAddress],
  [faucetOperation.name, callFaucet],
]);

function signedWrite(ruled: RuledOperation): WriteHandler {
  const parameter = ruled.operation.temporaryKey as string;
  return async ({ reading, admission, keys, clock }, request) => {
    const reader = reading();
    const outcome = await admission.submitSigned(ruled, request);
    if (outcome.kind === "refused") {
      return refuse(outcome.fault);
    }
    // The key has been found to be the actor's.
    const number = parseTemporaryKey(request.params[parameter] ?? "")?.addressNumber ?? 0;
    return json(
      { transaction_id: outcome.transactionId },
      {
        "Transaction-Id": outcome.transactionId,
        "Replay-Nonce": keys.issue(number, reader.timeAt(clock())),
      },
    );
  };
}

/** Source: accounts §4. */
async function createAddress(
  { reading, readingNewest, admission, keys }: Service,
  request: Request,
  header: (name: string) => string | undefined,
): Promise<Answer | Refused> {
  const idempotencyKey = header("idempotency-key");
  if (idempotencyKey !== undefined && !/^[\x20-\x7e]{1,255}$/.test(idempotencyKey)) {
    const reason = "must be 1 to 255 printable ASCII characters";
    return refuse({ code: "3005", parameter: "Idempotency-Key", reason });
  }
  const reader = reading();
  const { publickey, addinfo, signed } = request.values as {
    publickey: PublicKey;
    addinfo: string;
    signed: string;
  };
  let address: Address;
  if (idempotencyKey === undefined) {
    do {
      address = addressAround(drawBase62(ADDRESS_MIDDLE_LENGTH, randomByte));
    } while (reader.state.address(address) !== undefined);
  } else {
    const text = JSON.stringify(["address", publickey.body, addinfo, signed, idempotencyKey]);
    address = addressAround(littleEndianBase62(sha256.bytes(text), ADDRESS_MIDDLE_LENGTH));
  }

  const known = reader.state.address(address);
  const earlier = known && reader.transactionIdOf(known.transactionNumber);
  const outcome: Outcome =
    earlier === undefined
      ? await admission.submitUnsigned(
          RULES.get(addressOperation.name) as RuledOperation,
          request,
          { address },
        )
      : { kind: "repeat", transactionId: earlier };
  if (outcome.kind === "refused") {
    return refuse(outcome.fault);
  }
  const { state } = readingNewest();
  const number = state.address(address)?.number ?? 0;
  return plain(address, {
    "Transaction-Id": outcome.transactionId,
    "Replay-Nonce": keys.issue(number, state.time),
  });
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
    return refuse(outcome.fault);
  }
  const { transactionId } = outcome;
  return json(
    { transaction_id: transactionId, amount: String(amount) },
    { "Transaction-Id": transactionId },
  );
}
