/** Rows as CSV: with a byte order mark for Excel, and no cell that a spreadsheet would take for a formula. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

// Spreadsheets compute a cell that begins like this, even after blanks and invisible characters; an apostrophe makes it text.
const formula = /^[\s\p{C}]*[=+\-@＝＋－＠]/u

function cell(text: string): string {
  const plain = formula.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n\t]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** A time as the screen shows it, in the reader's zone with its UTC offset; any other text as it is. */
export function inLocalZone(text: string): string {
  if (!moment.test(text)) return text
  const at = new Date(text)
  const ahead = -at.getTimezoneOffset()
  const local = new Date(at.getTime() + ahead * 60_000).toISOString().slice(0, 19).replace('T', ' ')
  const [hours, minutes] = [Math.trunc(Math.abs(ahead) / 60), Math.abs(ahead) % 60].map((part) => String(part).padStart(2, '0'))
  return `${local}${ahead < 0 ? '-' : '+'}${hours}:${minutes}`
}
