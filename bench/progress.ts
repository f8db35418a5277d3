export function report(doing: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${doing}` : `${doing}\n`);
}

export function note(remark: string): void {
  reportNothing();
  process.stderr.write(`${remark}\n`);
}

export function reportNothing(): void {
  if (process.stderr.isTTY) {
    process.stderr.write("\r\x1b[K");
  }
}
