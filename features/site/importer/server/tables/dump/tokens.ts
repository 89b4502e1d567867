import { half } from '#importer/server/tables/dump/half.ts'
import type { Input } from '#importer/server/tables/dump/input.ts'
import { scanString, type Escapes } from '#importer/server/tables/dump/strings.ts'

/** A piece of SQL. A word is not quoted, a name is; `end` is the end of the statement. */
export type Token =
  | { kind: 'word' | 'name' | 'number' | 'mark'; text: string }
  | { kind: 'string' | 'bits'; bytes: Buffer }
  | { kind: 'end' | 'nothing' }

export type Lexis = {
  dialect: 'mysql' | 'postgres'
  escapes: Escapes
  /** What ends a statement; mysqldump changes it around triggers. */
  delimiter: string
}

/** Reads the next token, and waits for more of the dump where it is cut. `nothing` is the end of the dump. */
export function* nextToken(input: Input, lexis: Lexis): Generator<undefined, Token> {
  for (;;) {
    const token = scanToken(input, lexis)
    if (token) return token
    if (input.isLast) throw half('It ends in the middle of a statement')
    yield
  }
}

/** `/*M!999999` tells what follows. */
const longestOpening = 10

/** The next token, or null if its end is not there yet. */
export function scanToken(input: Input, lexis: Lexis): Token | null {
  for (;;) {
    const start = blanksEnd(input)
    input.position = start
    const byte = input.bytes[start]
    if (byte === undefined) return input.isLast ? { kind: 'nothing' } : null
    if (start + longestOpening > input.bytes.length && !input.isLast) return null
    const skipped = commentEnd(input, lexis, start)
    if (skipped === null) return null
    if (skipped === start) return tokenAt(input, lexis, byte)
    input.position = skipped
  }
}

function tokenAt(input: Input, lexis: Lexis, byte: number): Token | null {
  const start = input.position
  const { bytes } = input
  if (isDelimiter(bytes, start, lexis.delimiter)) return taken(input, start + lexis.delimiter.length, { kind: 'end' })
  const next = bytes[start + 1] ?? 0
  if (byte === 0x27) return stringAt(input, lexis.escapes, start)
  if (byte === 0x60) return nameAt(input, 'standard', start)
  if (byte === 0x22) return nameAt(input, lexis.escapes, start)
  if (isWordByte(byte) && next === 0x27) {
    if (byte === 0x78 || byte === 0x58) return bitsAt(input, start + 1, 16)
    if (byte === 0x62 || byte === 0x42) return bitsAt(input, start + 1, 2)
    if (byte === 0x6e || byte === 0x4e) return stringAt(input, lexis.escapes, start + 1)
    if (byte === 0x65 || byte === 0x45) return stringAt(input, 'bytes', start + 1)
  }
  if (isDigit(byte) || ((byte === 0x2d || byte === 0x2b) && (isDigit(next) || next === 0x2e))) return numberAt(input, start)
  if (isWordByte(byte)) {
    const end = wordEnd(input, start)
    return end === null ? null : taken(input, end, { kind: 'word', text: bytes.toString('utf8', start, end) })
  }
  return taken(input, start + 1, { kind: 'mark', text: String.fromCharCode(byte) })
}

function taken(input: Input, end: number, token: Token): Token {
  input.position = end
  return token
}

function stringAt(input: Input, escapes: Escapes, start: number): Token | null {
  const found = scanString(input, start, escapes)
  return found && taken(input, found.end, { kind: 'string', bytes: found.bytes })
}

function nameAt(input: Input, escapes: Escapes, start: number): Token | null {
  const found = scanString(input, start, escapes)
  return found && taken(input, found.end, { kind: 'name', text: found.bytes.toString() })
}

/** `x'0a'` and `b'101'`. */
function bitsAt(input: Input, start: number, base: 2 | 16): Token | null {
  const found = scanString(input, start, 'standard')
  if (!found) return null
  const text = found.bytes.toString('latin1')
  return taken(input, found.end, { kind: 'bits', bytes: base === 16 ? bytesOfHex(text) : bytesOfHex(hexOfBits(text)) })
}

function numberAt(input: Input, start: number): Token | null {
  const { bytes } = input
  let end = start + 1
  while (end < bytes.length && isNumberByte(bytes[end] ?? 0, bytes[end - 1] ?? 0)) end++
  if (end >= bytes.length && !input.isLast) return null
  const text = bytes.toString('latin1', start, end)
  if (/^0x/i.test(text)) return taken(input, end, { kind: 'bits', bytes: bytesOfHex(text.slice(2)) })
  if (/^0b/i.test(text)) return taken(input, end, { kind: 'bits', bytes: bytesOfHex(hexOfBits(text.slice(2))) })
  return taken(input, end, { kind: 'number', text })
}

function hexOfBits(bits: string): string {
  return bits === ''
    ? ''
    : BigInt(`0b${bits}`)
        .toString(16)
        .padStart(Math.ceil(bits.length / 8) * 2, '0')
}

function bytesOfHex(hex: string): Buffer {
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

function blanksEnd({ bytes, position }: Input): number {
  let at = position
  while (at < bytes.length && (bytes[at] ?? 0) <= 0x20) at++
  return at
}

/** Where the comment ends that begins here, or the start if none does, or null if its end is not there yet. */
function commentEnd(input: Input, { dialect }: Lexis, start: number): number | null {
  const opening = input.bytes.toString('latin1', start, start + 3)
  if (opening.startsWith('--') && (dialect === 'postgres' || (input.bytes[start + 2] ?? 0) <= 0x20)) return lineEnd(input, start)
  if (dialect === 'mysql' && opening.startsWith('#')) return lineEnd(input, start)
  // The end of a comment that MySQL executes.
  if (dialect === 'mysql' && opening.startsWith('*/')) return start + 2
  if (!opening.startsWith('/*')) return start
  const executed = dialect === 'mysql' ? executableStart(input.bytes, start) : null
  if (executed !== null) return executed
  const end = input.bytes.indexOf('*/', start + 2, 'latin1')
  if (end === -1 && input.isLast) throw half('It ends in the middle of a comment')
  return end === -1 ? null : end + 2
}

const executable = /^\/\*M?!(\d{0,6})/
/** MariaDB's sandbox line has the version of a server that never comes. */
const neverVersion = 900_000

/** Where the statement begins in a comment such as `/*!40101 SET NAMES utf8 … `, or null in any other. */
function executableStart(bytes: Buffer, start: number): number | null {
  const [opening, version] = executable.exec(bytes.toString('latin1', start, start + longestOpening)) ?? []
  return opening === undefined || Number(version) >= neverVersion ? null : start + opening.length
}

/** The start of the next line. */
export function lineEnd(input: Input, start: number): number | null {
  const end = input.bytes.indexOf(0x0a, start)
  if (end !== -1) return end + 1
  return input.isLast ? input.bytes.length : null
}

function wordEnd({ bytes, isLast }: Input, start: number): number | null {
  let end = start
  while (end < bytes.length && isWordByte(bytes[end] ?? 0)) end++
  return end >= bytes.length && !isLast ? null : end
}

function isDelimiter(bytes: Buffer, start: number, delimiter: string): boolean {
  for (let at = 0; at < delimiter.length; at++) if (bytes[start + at] !== delimiter.charCodeAt(at)) return false
  return true
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

function isWordByte(byte: number): boolean {
  const lower = byte | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || isDigit(byte) || byte === 0x5f || byte === 0x24 || byte >= 0x80
}

// Hexadecimal digits, the exponent and its sign.
function isNumberByte(byte: number, before: number): boolean {
  const lower = byte | 0x20
  if (byte === 0x2d || byte === 0x2b) return (before | 0x20) === 0x65
  return isDigit(byte) || byte === 0x2e || lower === 0x78 || (lower >= 0x61 && lower <= 0x66)
}
