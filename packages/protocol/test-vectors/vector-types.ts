// The types of the JSON files; README.md explains each member.

import type { Json } from "../text/canonical-json.ts";
import type { EntryProof, StateProof } from "../tree/state-proof.ts";

type Texts = { readonly [name: string]: string };

export interface SignedStringVectors {
  readonly ledger_id: string;
  readonly temporary_key: string;
  readonly vectors: readonly SignedStringVector[];
}

export interface SignedStringVector {
  readonly name: string;
  readonly source?: string;
  readonly operation: string;
  /** The parameter of the signature, for operations with several signers. */
  readonly signature?: string;
  /** As sent, under canonical names, without `signed` and signatures. */
  readonly params: Texts;
  readonly actor: string;
  readonly decided: Texts;
  /** Short strings, each of which is accepted; none if only a full signature is. */
  readonly short: readonly string[];
  readonly full: string;
}

export interface GroupVectors {
  readonly ledger_id: string;
  readonly vectors: readonly GroupVector[];
}

export interface GroupVector {
  readonly name: string;
  readonly operations: readonly {
    readonly operation: string;
    /** As sent, under canonical names, without `group` and signatures. */
    readonly params: Texts;
    /** The string that its signer signs, `group` included. */
    readonly full: string;
  }[];
  /** The text whose SHA-256 is the group's id. */
  readonly hashed: string;
  readonly group: string;
}

export interface BundleVectors {
  readonly ledger_id: string;
  readonly vectors: readonly {
    readonly name: string;
    readonly source?: string;
    readonly body: string;
    readonly full: string;
    readonly keys: readonly string[];
    /** The id that each operation makes; null if it does not follow from its key. */
    readonly ids: readonly (string | null)[];
  }[];
}

export type KeyName = "one" | "P-256" | "P-384" | "P-521";
export type DigestName = "SHA-256" | "SHA-384" | "SHA-512";

export interface KeyVector {
  readonly name: KeyName;
  readonly source: string;
  readonly curve: "P-256" | "P-384" | "P-521";
  /** Hex, as long as the curve's order. */
  readonly private_scalar: string;
  readonly private_key_pkcs8: string;
  readonly private_key_sec1: string;
  readonly public_key: string;
  readonly public_key_body: string;
}

export interface SignatureVector {
  readonly name: string;
  readonly source?: string;
  readonly key: KeyName;
  readonly text: string;
  readonly digest: DigestName;
  readonly hash: string;
  readonly der: string;
  readonly der_base64url: string;
  readonly raw: string;
  readonly raw_base64url: string;
  readonly other_der: string;
  readonly other_raw: string;
}

export interface RefusedSignature {
  readonly name: string;
  readonly key: KeyName;
  readonly text: string;
  readonly signature: string;
  readonly code: "2010" | "2230";
}

export interface SignatureVectors {
  readonly keys: readonly KeyVector[];
  readonly valid: readonly SignatureVector[];
  readonly refused: readonly RefusedSignature[];
}

export interface IdVectors {
  readonly addresses: readonly {
    readonly text: string;
    readonly valid: boolean;
    readonly source?: string;
  }[];
  readonly keyhashes: readonly {
    readonly source?: string;
    readonly ledger_id: string;
    readonly owner: string;
    readonly referencekey: string;
    readonly opendate: string;
    readonly algorithm: string;
    readonly data: string;
    readonly key: string;
    readonly keyhash: string;
  }[];
  readonly addresses_by_idempotency_key: readonly {
    readonly source?: string;
    readonly public_key_body: string;
    readonly addinfo: string;
    readonly signed: string;
    readonly idempotency_key: string;
    readonly hashed: string;
    readonly address: string;
  }[];
  readonly temporary_keys: readonly {
    readonly source?: string;
    readonly secret: string;
    readonly ledger_id: string;
    readonly kind: string;
    readonly address_number: number;
    readonly expiry: number;
    readonly random: string;
    readonly key: string;
  }[];
  readonly projects: readonly {
    readonly source?: string;
    readonly owner: string;
    readonly tkey: string;
    readonly id: string;
  }[];
  readonly items: readonly {
    readonly source?: string;
    readonly kind: string;
    readonly mrc400id: string;
    readonly tkey: string;
    readonly place: number;
    readonly number: string;
    readonly id: string;
  }[];
  readonly standalone_items: readonly {
    readonly creator: string;
    readonly tkey: string;
    readonly id: string;
  }[];
  readonly token_listings: readonly {
    readonly creator: string;
    readonly tkey: string;
    readonly id: string;
  }[];
  readonly unit_listings: readonly {
    readonly actor: string;
    readonly tkey: string;
    readonly place: number;
    readonly id: string;
  }[];
  readonly transactions: readonly {
    readonly source?: string;
    readonly content: string;
    readonly hash: string;
    readonly height: number;
    readonly position: number;
    readonly id: string;
  }[];
}

export interface EncodingVectors {
  readonly integers: readonly { readonly text: string; readonly valid: boolean }[];
  readonly unlock_dates: readonly { readonly text: string; readonly valid: boolean }[];
  readonly decimals: readonly {
    readonly amount: string;
    readonly decimals: number;
    readonly text: string;
  }[];
  readonly rates: readonly {
    readonly text: string;
    readonly decimals: number;
    /** Null if it is no rate. */
    readonly canonical: string | null;
  }[];
  readonly fees: readonly {
    readonly amount: string;
    readonly rate: string;
    readonly fee: string;
  }[];
  readonly texts: readonly { readonly text: string; readonly valid: boolean }[];
  readonly cut_texts: readonly {
    readonly text: string;
    readonly length: number;
    readonly kept: string;
  }[];
  readonly canonical_json: readonly {
    readonly name: string;
    readonly source?: string;
    readonly json: string;
    /** Null if blocks and full signatures cannot hold it. */
    readonly canonical: string | null;
  }[];
  readonly json_texts: readonly {
    readonly name: string;
    readonly text: string;
    /** Null if it is refused. */
    readonly compact: string | null;
  }[];
  readonly requests: readonly {
    readonly name: string;
    readonly source?: string;
    readonly operation: string;
    readonly body: string;
    readonly params?: Texts;
    readonly code?: string;
    readonly parameter?: string;
  }[];
  readonly public_keys: readonly {
    readonly name: string;
    readonly source?: string;
    readonly text: string;
    readonly curve?: string;
    readonly body?: string;
    readonly code?: string;
  }[];
  readonly tiles: readonly {
    readonly text: string;
    /** Absent if it is not the path of a tile. */
    readonly index?: number;
    readonly width?: number;
  }[];
}

export interface ChainVectors {
  readonly blocks: readonly {
    readonly name: string;
    readonly source?: string;
    readonly transactions: readonly {
      readonly operation: string;
      readonly operation_hash: string;
      readonly content: string;
      readonly content_hash: string;
      readonly id: string;
      readonly record: string;
      readonly record_hash: string;
      readonly leaf: string;
    }[];
    readonly root: string;
    readonly changes_object: string;
    readonly changes: string;
    readonly header: string;
    readonly id: string;
  }[];
  readonly trees: readonly {
    readonly source?: string;
    readonly leaves: readonly string[];
    readonly root: string;
  }[];
}

export interface ProofVectors {
  /** Of the tree whose leaf number i is the decimal text of i. */
  readonly roots: readonly { readonly size: number; readonly root: string }[];
  readonly inclusion: readonly {
    readonly name: string;
    readonly leaf: string;
    readonly index: number;
    readonly size: number;
    readonly root: string;
    readonly path: readonly string[];
    readonly valid: boolean;
  }[];
  readonly consistency: readonly {
    readonly name: string;
    readonly from: number;
    readonly to: number;
    readonly from_root: string;
    readonly to_root: string;
    readonly path: readonly string[];
    readonly valid: boolean;
  }[];
  readonly verifier_keys: readonly {
    readonly name: string;
    readonly source?: string;
    readonly text: string;
    readonly valid: boolean;
    /** Hex; only of test keys. */
    readonly private_seed?: string;
  }[];
  readonly checkpoints: readonly {
    readonly name: string;
    readonly note: string;
    readonly keys: readonly string[];
    readonly valid: boolean;
    readonly origin?: string;
    readonly size?: number;
    readonly root?: string;
  }[];
  readonly state_roots: readonly {
    readonly name: string;
    readonly entries: { readonly [key: string]: Json };
    /** Hex. */
    readonly root: string;
  }[];
  readonly entries: readonly {
    readonly name: string;
    /** The key that the caller requested. */
    readonly key: string;
    readonly shown: EntryProof;
    /** Hex. */
    readonly root: string;
    readonly valid: boolean;
  }[];
  /** Responses with `proof=1`. */
  readonly reads: readonly {
    readonly name: string;
    readonly read: string;
    readonly params: { readonly [name: string]: string };
    readonly verifier_key: string;
    /** Unix seconds: the earliest time of the root that the caller allows. */
    readonly not_before: number;
    readonly response: StateProof;
    readonly valid: boolean;
  }[];
}

/** Signatures of a text by keys of an address. Source: authority §2, §3. */
export interface AuthorityVector {
  readonly name: string;
  readonly text: string;
  readonly keys: readonly {
    readonly publickey: string;
    readonly kind: "raw" | "webauthn";
    readonly weight: number;
    readonly rpid?: string;
    readonly origins?: readonly string[];
    readonly verified?: boolean;
  }[];
  readonly threshold: number;
  /** JSON text, as it is sent. */
  readonly signatures: string;
  readonly valid: boolean;
  /** Of a passkey: the step that fails. */
  readonly step?: number;
}

export interface AuthorityVectors {
  readonly signatures: readonly AuthorityVector[];
}

export interface ErrorVectors {
  readonly errors: readonly {
    readonly code: string;
    readonly status: number;
    readonly type: string;
    readonly title: string;
    readonly detail: string;
    readonly parameter?: string;
    readonly listings?: readonly string[];
    readonly needed?: string;
    readonly spendable?: string;
    readonly token?: string;
    readonly item?: string;
  }[];
}
