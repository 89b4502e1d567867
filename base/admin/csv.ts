/** Rows as a file that spreadsheets read: with a mark for Chinese in Excel, and no cell that one would take for a formula. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

// Spreadsheets compute what begins like this, after blanks and what cannot be seen too; an apostrophe makes it text.
const formula = /^[\s\p{C}]*[=+\-@＝＋－＠]/u

function cell(text: string): string {
  const plain = formula.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n\t]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
