import { KeyProblem } from "../../keys/key-problem.ts";
import { isSignatureList, parseKeySignatures } from "../../keys/key-signatures.ts";
import { type PublicKey, parsePublicKey } from "../../keys/public-key.ts";
import { type Fault, Refused, refuse } from "../faults.ts";
import { meaning, optional, type Parameter, parameter } from "../parameter.ts";
import { opaque } from "./texts.ts";

/** Missing: status 405. Source: accounts §2. */
export function publicKey(): Parameter<PublicKey> {
  return parameter<PublicKey>({
    wanted: "an ECDSA public key on P-256, P-384 or P-521 as PEM or as its bare base64",
    schema: { type: "string", maxLength: 4096 },
    refusals: ["3102", "3103", "3104", "3105", "3106"],
    missing: (name) =>
      refuse({
        code: "3103",
        parameter: name,
        reason: `${name} is missing: send the PEM text of an ECDSA public key`,
      }),
    read(given, name) {
      const key = parsePublicKey(given);
      return key instanceof KeyProblem
        ? refuse({ code: key.code, parameter: name, reason: key.reason })
        : key;
    },
    malformed: (_raw, name) =>
      refuse({ code: "3103", parameter: name, reason: `${name} must be PEM text` }),
  });
}

/** Source: authority §5.1. */
export function agentKey(): Parameter<PublicKey> {
  const { missing, malformed } = opaque("");
  return { ...publicKey(), missing, malformed };
}

/** The canonical body of the public key that a list is of. Source: authority §1.5, §5.5. */
export function listedKey(): Parameter<string> {
  const { read, wanted, schema, refusals } = publicKey();
  return parameter<string>({
    ...{ wanted, schema, refusals },
    read(given, name) {
      const key = read(given, name);
      return key instanceof Refused ? refuse({ ...key.fault, isRead: true } as Fault) : key.body;
    },
  });
}

/** An unreadable one has no address. Source: accounts §6. */
export function unreadPublicKey(): Parameter<string> {
  return opaque("an ECDSA public key as PEM or as its bare base64");
}

/** Checked after the actor's existence. Source: conventions §5, accounts §1.1. */
export function temporaryKey(): Parameter<string> {
  const wanted = "a temporary key of the actor, from GET /nonce/{address}";
  return meaning("", opaque(wanted, "temporaryKey"));
}

/** Any text, because a malformed one is as unknown as others. Source: authority §5. */
export function grantId(role: "value" | "grant" = "value"): Parameter<string> {
  const use = role === "grant" ? ", by which an agent acts for the actor" : "";
  return meaning("", opaque(`the id of a grant${use}`, role));
}

/** Source: batches §2.2. */
export function groupName(): Parameter<string> {
  return parameter<string>({
    meaning: "",
    wanted: "the id of a group, 64 lower-case hex digits",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
    refusals: ["2040"],
    read: (given) =>
      /^[0-9a-f]{64}$/.test(given) ? given : refuse({ code: "2040", given, wanted: undefined }),
  });
}

/** Source: conventions §4; authority §2.1. */
export function signature(
  wanted = "base64 of the actor's ECDSA signature of the signed string, DER or raw r||s; of an address with several keys, JSON text of an array of objects with key, signature, and of passkeys authenticatordata and clientdata",
): Parameter<string> {
  return {
    ...opaque(wanted, "signature"),
    meaning: "",
    refusals: ["1007", "3002", "3004"],
    read(given, name) {
      const problem = isSignatureList(given) ? parseKeySignatures(given) : undefined;
      return problem !== undefined && "code" in problem
        ? refuse({ ...problem, parameter: name })
        : given;
    },
  };
}

/** Refused with 3005: older clients send the secret too early. Source: protocols §6. */
export function secret(instead: string): Parameter<undefined> {
  const refuseIt = (_value: unknown, name: string): Refused =>
    refuse({ code: "3005", parameter: name, reason: `must be left out: ${instead}` });
  return optional(
    parameter<undefined>({
      meaning: "",
      wanted: `left out: ${instead}`,
      schema: { type: "string", maxLength: 0 },
      role: "forbidden",
      refusals: ["3005"],
      read: refuseIt,
      malformed: refuseIt,
    }),
  );
}
