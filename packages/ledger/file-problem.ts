/**
 * Why a file that was named cannot be used, in one line for the operator, from what reading it or
 * parsing it as JSON has thrown. Nothing of its content is in it, which may be secret.
 */
export function fileProblem(file: string, thrown: unknown): string {
  const { code, message } = thrown as NodeJS.ErrnoException;
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
    default:
      return `${file}: ${message}`;
  }
}
