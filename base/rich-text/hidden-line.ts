import type StateBlock from 'markdown-it/lib/rules_block/state_block.mjs'
import { locks, type Hidden, type Lock } from '#base/rich-text/document.ts'

type Part = Hidden['attrs']

/** The line that ends a hidden part. */
export const partEnd = ':::'

const ending = /^[:：]{3,}[ \t]*$/
// Whatever word follows: a slip of the pen must not show what was to be hidden.
const beginning = /^(?:[:：]{3,}[ \t]*(?=[\p{L}\p{N}])|[:：]{2}[ \t]*(?=hidden\b))(.*)$/iu

/**
 * `:::hidden points=5` begins a hidden part, and `:::` ends it. Each is a line by itself, so whatever stands between them is read as it is
 * anywhere. Within a list, a quote or another part it begins nothing, and stands there to be refused.
 */
export function hiddenRule(state: StateBlock, startLine: number, _: number, isSilent: boolean): boolean {
  const { env, level, bMarks, tShift, eMarks, sCount, src, blkIndent } = state
  const start = (bMarks[startLine] ?? 0) + (tShift[startLine] ?? 0)
  if (!env.hides || (sCount[startLine] ?? 0) - blkIndent > 3 || !isColon(src.charCodeAt(start))) return false
  const line = src.slice(start, eMarks[startLine])
  const said = beginning.exec(line)?.[1]
  const ends = said === undefined && env.isHidden && (isSilent || level === 1) && ending.test(line)
  if (said === undefined && !ends) return false
  if (isSilent) return true
  const token = ends ? state.push('hidden_close', '', -1) : state.push(level > 0 ? 'hidden' : 'hidden_open', '', level > 0 ? 0 : 1)
  token.content = said ?? ''
  token.map = [startLine, startLine + 1]
  if (ends || level === 0) env.isHidden = !ends
  state.line = startLine + 1
  return true
}

function isColon(code: number): boolean {
  return code === 0x3a || code === 0xff1a
}

const written = /^hidden[ \t]+([a-z]+)(?:[=＝](?:"((?:\\.|[^"\\])*)"|([^\s"#]+)))?(?:[ \t]+#([\w-]{1,40}))?[ \t]*$/i
const amount = /^(\d{1,15})(?:\.(\d{1,2}))?$/

/** What a line that begins a hidden part says. One that says nothing we know is a part nobody could open, which is refused. */
export function partOf(line: string): Part {
  const [, name = '', quoted, plain = '', id] = written.exec(line) ?? []
  const lock = locks.find((one) => one === name.toLowerCase())
  if (!lock) return { lock: 'comment', value: line.trim() || '?' }
  return { ...(id && { id }), lock, value: quoted === undefined ? plainValue(lock, plain) : quoted.replace(/\\(.)/g, '$1') }
}

/** A line that says exactly this. */
export function openingOf({ id, lock, value }: Part): string {
  const shown = value === '' ? '' : `=${lock === 'balance' ? writtenAmount(value) : writtenValue(value)}`
  return `${partEnd}hidden ${lock}${shown}${id ? ` #${id}` : ''}`
}

/** People write an amount in whole units and hundredths; a document keeps hundredths. Null where it is none. */
export function centsIn(written: string): string | null {
  const [, whole, hundredths = ''] = amount.exec(written) ?? []
  return whole === undefined ? null : String(BigInt(whole + hundredths.padEnd(2, '0')))
}

/** Hundredths as people write them; what is no amount as it is. */
export function writtenCents(value: string): string {
  if (!isCents(value)) return value
  const digits = value.padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function isCents(value: string): boolean {
  return /^(?:0|[1-9]\d{0,14})$/.test(value)
}

function plainValue(lock: Lock, plain: string): string {
  return (lock === 'balance' ? centsIn(plain) : null) ?? plain
}

function writtenAmount(value: string): string {
  return isCents(value) ? writtenCents(value) : quotedValue(value)
}

function writtenValue(value: string): string {
  return /^[\p{L}\p{N}._-]+$/u.test(value) ? value : quotedValue(value)
}

function quotedValue(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`
}
