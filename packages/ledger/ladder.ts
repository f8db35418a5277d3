/**
 * The order of checks, for all that check operations: admission, executor, replay, dry runs, tests. The
 * first check that fails answers. Source: conventions §3, §5.3; for groups batches §2.10. A bundle is
 * one operation here: `rules/bundle.ts` does steps 4 and 7 for each operation in it.
 *
 * | step | refuses with | by |
 * |---|---|---|
 * | 1. parameters | 1000 to 3999 | `readRequest`, with its description |
 * | 2. a key twice in a group | 2021 | `checkKeys` |
 * | 3. repeat of what was done | answered as then | `isRepeat`; the caller looks up the key |
 * | 4. actor, existence | 4001, 6001, ... | `actorOf`; of a group's operation at its place, in step 7 |
 * | 5. keys: whose, valid, issued here, unused; grants | 2020, 2021, 6014 | `checkKeys`, `refuseKeys` |
 * | 6. signatures; what they decide (`choicesOf`) | 2230, 2010 | admission verifies what `requiredSignatures` returns, replay passes it on |
 * | 7. rule: permission, state, time, balances; bounds of grants | 4900, 5000, 7000, ... | `applyOperation` |
 */
import {
  type Address,
  type GivenKey,
  type GroupFault,
  isFullySigned,
  isSignatureList,
  type JsonList,
  type KeySet,
  keptKeys,
  type LedgerOperation,
  parseTemporaryKey,
  Refused,
  type Request,
  refuse,
  type Signer,
  signedStrings,
  soleKey,
  type TemporaryKey,
  type Texts,
  VALID_SECONDS_MAX,
} from "@moneta/protocol";
import { invariant } from "./invariant.ts";
import { type KeyClaim, keyClaims, recoveryKeys } from "./key-claims.ts";
import { boundedBy, grantNamed, type NamedGrant } from "./rules/grant-bounds.ts";
import type { Acting, RuledOperation, RuleRecord } from "./rules/rule.ts";
import type { AddressEntry } from "./state/entries.ts";
import type { State, StateReader } from "./state/state.ts";

export interface ReadOperation {
  readonly ruled: RuledOperation;
  readonly request: Request;
  /** One for each signer; undefined where malformed. */
  readonly keys: readonly (TemporaryKey | undefined)[];
  /** Once its actor is known. */
  readonly operation?: LedgerOperation;
}

export interface Running extends ReadOperation {
  readonly operation: LedgerOperation;
}

export interface KeyChecks {
  /** Whether this deployment issued a key for an operation of this name. */
  readonly isOurs?: (key: TemporaryKey, operation: string) => boolean;
  readonly isUsed?: (key: TemporaryKey) => boolean;
}

export function temporaryKeysOf(
  { operation }: RuledOperation,
  { values }: Pick<Request, "values">,
): ReadOperation["keys"] {
  return operation.signers.map(({ temporaryKey }) => parseTemporaryKey(values[temporaryKey] ?? ""));
}

function isMember({ request }: ReadOperation): boolean {
  return request.params["group"] !== undefined;
}

/** Step 4; `""` for unsigned operations. */
export function actorOf(
  state: StateReader,
  { ruled, request, keys }: ReadOperation,
): Acting<unknown> | Refused {
  return ruled.rule.actor(state, request.values, () =>
    keyHolder(state, keys[0], ruled.operation.signers[0]?.temporaryKey ?? ""),
  );
}

/** In the description's order: the actor, then those that parameters name. */
export function signersOf(
  { ruled, request: { values } }: Pick<ReadOperation, "ruled" | "request">,
  actor: Address,
): readonly Address[] {
  return ruled.operation.signers.map(({ address }, index) =>
    index === 0 ? actor : (values[address as string] as Address),
  );
}

/** Refused with 2020 if there is none. */
function grantsOf(
  { ruled, request: { values } }: Pick<ReadOperation, "ruled" | "request">,
  signers: readonly Address[],
): readonly NamedGrant[] {
  return ruled.operation.signers.flatMap(
    (signer, index) => grantOf(signer, signers[index] as Address, values) ?? [],
  );
}

function grantOf(
  { grant: parameter }: Signer,
  address: Address,
  values: Request["values"],
): NamedGrant | undefined {
  const id = parameter === undefined ? undefined : (values[parameter] as string | undefined);
  return parameter === undefined || id === undefined ? undefined : { id, address, parameter };
}

/** Refused with 2020 if it was issued to no address. */
export function keyHolder(
  state: StateReader,
  key: TemporaryKey | undefined,
  parameter: string,
): Address | Refused {
  return (
    (key && state.addressNumbered(key.addressNumber)) ??
    refuse({ code: "2020", parameter, reason: "it was not issued to an address of this ledger" })
  );
}

/** Those that its keys were issued to. */
function keyHoldersOf(
  state: StateReader,
  { ruled, keys, operation }: ReadOperation,
): readonly (Address | Refused)[] {
  return ruled.operation.signers.map(({ temporaryKey }, index) =>
    index === 0 && operation !== undefined
      ? (operation.actor as Address)
      : keyHolder(state, keys[index], temporaryKey),
  );
}

export interface CheckedKeys {
  /** Of every operation, or of those before the refused one. */
  readonly signers: readonly (readonly Address[])[];
  readonly refused: GroupFault | undefined;
}

/**
 * Steps 2, 4 and 5. Signatures of operations before the refused one are checked before its refusal.
 */
export function checkKeys(
  state: StateReader,
  unit: readonly ReadOperation[],
  checks: KeyChecks,
): CheckedKeys {
  const signers: (readonly Address[])[] = [];
  const twice = unit.length === 1 ? undefined : refuseKeysTwice(unit);
  if (twice !== undefined) {
    return { signers, refused: twice };
  }
  for (const [index, one] of unit.entries()) {
    const acting = isMember(one) ? undefined : actorOf(state, one);
    if (acting instanceof Refused) {
      return { signers, refused: { index, fault: acting.fault } };
    }
    const holders =
      acting === undefined ? keyHoldersOf(state, one) : signersOf(one, acting.actor as Address);
    const refused = refuseKeys(state, one, holders, checks);
    if (refused !== undefined) {
      return { signers, refused: { index, fault: refused.fault } };
    }
    for (const named of grantsOf(one, holders as readonly Address[])) {
      const grant = grantNamed(state, named);
      if (grant instanceof Refused) {
        return { signers, refused: { index, fault: grant.fault } };
      }
    }
    signers.push(holders as readonly Address[]);
  }
  return { signers, refused: undefined };
}

/** Step 2. `index` is that of the second. */
function refuseKeysTwice(unit: readonly ReadOperation[]): GroupFault | undefined {
  const seen = new Set<string>();
  for (const [index, { ruled, request }] of unit.entries()) {
    for (const { temporaryKey: parameter } of ruled.operation.signers) {
      const key = request.params[parameter] ?? "";
      if (seen.has(key)) {
        return { index, fault: { code: "2021", parameter } };
      }
      seen.add(key);
    }
  }
  return undefined;
}

/** Step 5. 2020 of any key comes before 2021 of another. Source: accounts §7.3. */
export function refuseKeys(
  state: StateReader,
  { ruled, keys }: ReadOperation,
  holders: readonly (Address | Refused)[],
  { isOurs, isUsed }: KeyChecks,
): Refused | undefined {
  const { name, signers } = ruled.operation;
  for (const [index, { temporaryKey: parameter }] of signers.entries()) {
    const holder = holders[index] as Address | Refused;
    if (holder instanceof Refused) {
      return holder;
    }
    const key = keys[index];
    const number = state.addressNumber(holder);
    if (key === undefined || key.addressNumber !== number) {
      const whose = number === undefined ? "the actor" : `${holder}, who acts here`;
      return refuse({ code: "2020", parameter, reason: `it was not issued to ${whose}` });
    }
    if (state.time > key.expiry) {
      return refuse({ code: "2020", parameter, reason: "it has expired" });
    }
    if (key.expiry - state.time > VALID_SECONDS_MAX) {
      return refuse({ code: "2020", parameter, reason: "it expires more than a day from now" });
    }
    if (isOurs !== undefined && !isOurs(key, name)) {
      const reason = "this deployment has not issued it, or for another operation";
      return refuse({ code: "2020", parameter, reason });
    }
  }
  const used = isUsed && keys.findIndex((key) => key !== undefined && isUsed(key));
  return used === undefined || used === -1
    ? undefined
    : refuse({ code: "2021", parameter: (signers[used] as Signer).temporaryKey });
}

export interface RequiredSignature {
  readonly signer: Signer;
  readonly address: Address;
  /** Version of the address's keys. Source: authority §1.4. */
  readonly keysVersion: number;
  readonly isShort: boolean;
  /** All must fit; cheap curves first. */
  readonly claims: readonly [KeyClaim, ...KeyClaim[]];
}

/** Step 6, for the caller to verify. Source: conventions §4, authority §2. */
export function requiredSignatures(
  state: StateReader,
  { ruled, request: { params, signatures, values } }: ReadOperation,
  signers: readonly Address[],
  { ledgerId, decided }: { readonly ledgerId: string; readonly decided: Texts },
): readonly RequiredSignature[] | Refused {
  const required: RequiredSignature[] = [];
  for (const [index, signer] of ruled.operation.signers.entries()) {
    const address = signers[index] as Address;
    const entry = state.address(address);
    invariant(entry !== undefined, "signers are on the ledger");
    const named = grantOf(signer, address, values);
    const grant = named && grantNamed(state, named);
    if (grant instanceof Refused) {
      return grant;
    }
    const keySet = grant === undefined ? state.keySet(address) : undefined;
    const isFull = isFullySigned(signer, params);
    const signedTexts = signedStrings(signer, params, { ledgerId, actor: address, decided });
    const signature = signatures[signer.signature] ?? "";
    if (
      grant === undefined &&
      keySet === undefined &&
      signer.by === undefined &&
      signer.proof === undefined &&
      !isSignatureList(signature)
    ) {
      required.push({
        ...{ signer, address, keysVersion: 0, isShort: entry.signed === "full" && !isFull },
        claims: [
          { parameter: signer.signature, publicKey: entry.publickey, signedTexts, signature },
        ],
      });
      continue;
    }
    const claims = keyClaims(signer, {
      ...{ address, signedTexts, signatures },
      keys:
        signer.by === "recovery"
          ? recoveryKeys(keySet)
          : (keySet ?? soleKey(grant?.agent ?? entry.publickey)),
      newKeys: signer.proof === undefined ? undefined : newKeys(values),
    });
    if (claims instanceof Refused) {
      return claims;
    }
    required.push({
      ...{ signer, address, keysVersion: keySet?.version ?? 0 },
      ...{ isShort: !isFull && isFullOnly(state, entry), claims },
    });
  }
  return required;
}

/** Whether an address accepts full signatures only. Source: conventions §4.5, authority §1.6. */
export function isFullOnly(state: StateReader, { address, signed }: AddressEntry): boolean {
  return signed === "full" || state.keySet(address) !== undefined;
}

/** The new keys, which have to sign as proof. Source: authority §1.3. */
function newKeys({ keys, threshold }: Request["values"]): KeySet {
  return { keys: keptKeys(keys as JsonList<GivenKey>), threshold: threshold as number };
}

/**
 * Whether the signers' keys are still those that verified the signatures; `versions` is in their
 * order, all 0 if undefined. Source: authority §1.4.
 */
export function areKeysInForce(
  state: StateReader,
  one: Running,
  versions: readonly number[] | undefined,
): boolean {
  return signersOf(one, one.operation.actor as Address).every(
    (address, index) =>
      // An agent's key stays the same.
      grantOf(one.ruled.operation.signers[index] as Signer, address, one.request.values) !==
        undefined || (state.keySet(address)?.version ?? 0) === (versions?.[index] ?? 0),
  );
}

/**
 * Steps 4, 5 and 7 (of a group's operation 4 and 7), and the effects. After a refusal the caller
 * undoes the changes.
 */
export function applyOperation(
  state: State,
  one: Running,
  checks: KeyChecks,
): RuleRecord | Refused {
  const { operation, ruled, request, keys } = one;
  const acting = actorOf(state, one);
  if (acting instanceof Refused) {
    return acting;
  }
  const { actor, found } = acting;
  const { signers } = ruled.operation;
  if (actor !== operation.actor) {
    // Another address has become the actor since admission.
    return refuseStranger(signers[0]?.signature ?? "", actor as Address);
  }
  const holders = signersOf(one, actor as Address);
  if (isMember(one)) {
    // Admission has verified the signatures of those to whom the keys were issued.
    const stranger = holders.findIndex(
      (holder, index) => keys[index]?.addressNumber !== state.addressNumber(holder),
    );
    if (stranger !== -1) {
      return refuseStranger((signers[stranger] as Signer).signature, holders[stranger] as Address);
    }
  } else {
    const refused = refuseKeys(state, one, holders, checks);
    if (refused !== undefined) {
      return refused;
    }
  }
  const { name } = ruled.operation;
  const { values } = request;
  // A bundle bounds each of its operations.
  const grants = signers[0]?.signsBody === true ? [] : grantsOf(one, holders);
  return boundedBy(state, { grants, name, values }, () =>
    ruled.rule.apply(state, values, { actor: actor as Address, found, operation }),
  );
}

function refuseStranger(parameter: string, actor: Address): Refused {
  return refuse({ code: "2010", parameter, actor, fullOnly: false });
}
