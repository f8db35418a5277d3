// Addresses and ids of the examples in descriptions and in the specification.

export const ALICE = "MTAlice00000000000000000000000005dc33c90";
export const BOB = "MTBob0000000000000000000000000005f59bcba";
/** A platform that receives a commission. */
export const MARKET = "MTMarket00000000000000000000000098bfe971";

/** Its private key is 1, so that anybody can try it. Source: accounts §2. */
export const PUBLIC_KEY = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt
6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==
-----END PUBLIC KEY-----
`;
/** Its private key is 2. */
export const PUBLIC_KEY_BODY =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==";
export const SECOND_KEY_BODY =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEfPJ7GI0DT36KUjgDBLUaw8CJaeJ38hs1pgtI/EdmmXgHd1UQ247QQCk9msafdDDbun2t5jzpgimeBLedInhz0Q==";
export const TEMPORARY_KEY = "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX";
export const SIGNATURE =
  "MEQCIFQCqB0S3n1NANV96VYQm9IhgTUZdG9oq0SQi7Keq1rOAiAp4b/avEqED2CiNBozXWVGisbScFgggFwYVCQuWQM1Ww==";
/** Bob's, for operations that both sign. */
export const BOBS_TEMPORARY_KEY = "K00000021vb6GO012345678901234567890123456789AB";
export const BOBS_SIGNATURE =
  "MEQCIBa2LNfCkK5FJwDB3oTJUu0HbhU1nQDI1SYFYuHMGk0oAiB0v7x8mFv5hX3Yk3l2fUOcF1o0y9T2s4Vn7h1zq5a2dw==";

export const GOLD = "7";
export const SILVER = "12";
/** An order to sell gold for silver, and a trade with it. */
export const ORDER = "MRC040_05c5d23e7dfb1fd779c58091dda52bffc";
export const TRADE = "TRD040_af8e773a70ead8169f4936d3e0e5daa07";
/** A text that Alice has sealed: its reference, its key and its commitment. */
export const REFERENCE = "letter";
export const SEAL = `MRC020_${ALICE}_${REFERENCE}`;
export const LETTER = "q83vEjRWeJA=";
export const CIPHER = "AES-256-GCM";
export const OPENING_KEY = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
export const KEYHASH = "9a31e97284d518b148a9c27f501272014cc5755c361208f0e66581c63e250c1f";

export const LISTING = "DEX010_3f0c5a24d7f03d8dc3c3666969e6fa5bb";

export const PROJECT = "MRC400_c7735425f08d740230c98da57e9977dfc";
export const SWORD_NUMBER = "Sword00000000000000000000000000000000001";
export const SHIELD_NUMBER = "Shield0000000000000000000000000000000001";
export const SWORD = `${PROJECT}_${SWORD_NUMBER}`;
export const SHIELD = `${PROJECT}_${SHIELD_NUMBER}`;
/** A multi-unit item of Alice outside a project, and numbers of two in her project. */
export const PRINT = "MRC402_5f1c2b8e4a7d903c6e5b4a3f2d1c0b9a8";
export const POTION_NUMBER = "Potion0000000000000000000000000000000001";
export const ARROW_NUMBER = "Arrow00000000000000000000000000000000001";
export const POTION = `${PROJECT}_${POTION_NUMBER}`;
export const ARROW = `${PROJECT}_${ARROW_NUMBER}`;
export const UNIT_LISTING = "DEX402_9b0d6c1f83e2a5470c4de98f1b37a2650";
/** Offers of Bob for an item and for units, and their end. */
export const OFFER = "OFF401_2d1f9f4b1f3f6a7bb08f2e5f8a6f2b1c7";
export const UNIT_OFFER = "OFF402_8c0f6e2a94d7b3158a6cd20f41e9b7d35";
export const GRANT = "GRT_4be1d2f0a95c8e7736d0b1f2c49a5e860";

export const BLOCK = "258";
export const BLOCK_ID = "fbd75e5549e796003288b70707d54e5bb1a7e782189942fbe6c4cd085e11ee52";
export const TRANSACTION = "00000000000001020000000062838ec1189d0b649eba4bbbac485d6e94fb6834";

/** A group of two transfers, and its transactions. */
export const GROUP = "4d12db3fd7b41a3242c93f44bfb3258af17bd25a685b789a3f8070d1b3989a11";

export const NOW = 1767225600;
export const TOMORROW = 1767312000;
export const NEXT_MONTH = NOW + 30 * 86_400;

/** A ledger, the root of its tree, and a checkpoint with a made-up signature. Source: chain §12. */
const LEDGER = "ledger.example/main";
export const ROOT = "zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMw=";
export const VERIFIER_KEY = `${LEDGER}+677f3f54+ARERERERERERERERERERERERERERERERERERERERERER`;
export const CHECKPOINT = `${LEDGER}\n1001\n${ROOT}\n\n\u2014 ${LEDGER} Z38/VAICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=\n`;
