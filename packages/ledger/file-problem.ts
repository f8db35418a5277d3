/**
 * PEM names its encryption. Without a pass phrase, one key in 256 decrypts to garbage without an
 * error.
 */
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

/**
 * Why a file cannot be used, in one line. It quotes nothing of the content, which may be secret.
 */
export function fileProblem(file: string, thrown: unknown, content?: Buffer): string {
  const { code, message } = thrown as NodeJS.ErrnoException;
  const isForCertificate = code === "ERR_OSSL_PEM_NO_START_LINE";
  if (!isForCertificate && ENCRYPTED.test(content?.toString("latin1") ?? "")) {
    return `${file} is encrypted: openssl pkey -in FILE -out FILE writes it without its pass phrase`;
  }
  if (thrown instanceof SyntaxError) {
    const [where] = /\(line \d+ column \d+\)/.exec(message) ?? [];
    return `${file} is no JSON${where === undefined ? "" : ` ${where}`}`;
  }
  switch (code) {
    case "ENOENT":
      return `${file} is not there`;
    case "ENOTDIR":
      return `${file} is not there: a part of its path is a file`;
    case "EISDIR":
      return `${file} is a folder`;
    case "ERR_OSSL_UNSUPPORTED":
      return `${file} is no private key in PEM`;
    case "ERR_OSSL_PEM_NO_START_LINE":
      return `${file} is no certificate in PEM`;
    case "ERR_OSSL_X509_KEY_VALUES_MISMATCH":
      return `${file} is not the key of the certificate`;
    default:
      return `${file}: ${message}`;
  }
}
