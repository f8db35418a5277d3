// Progress of the bench, on stderr: one changing line on a terminal, a line each in a log.

export function report(doing: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${doing}` : `${doing}\n`);
}

/** Prints a line that stays on a terminal, too. */
export function note(remark: string): void {
  reportNothing();
  process.stderr.write(`${remark}\n`);
}

/** Clears the line on a terminal, so that the next text starts a line. */
export function reportNothing(): void {
  if (process.stderr.isTTY) {
    process.stderr.write("\r\x1b[K");
  }
}
