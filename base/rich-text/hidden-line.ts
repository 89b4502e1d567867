import type StateBlock from 'markdown-it/lib/rules_block/state_block.mjs'
import { locks, type Hidden, type Lock } from '#base/rich-text/document.ts'
import { normalizeNumber } from '#base/typed-number.ts'

type Part = Hidden['attrs']

/** The line that ends a hidden part. */
export const partEnd = ':::'

const endPattern = /^[:：]{3,}[ \t]*$/
// With any word after it: a typing mistake must not reveal the content.
const beginPattern = /^(?:[:：]{3,}[ \t]*(?=[\p{L}\p{N}])|[:：]{2}[ \t]*(?=hidden\b))(.*)$/iu

/**
 * `:::hidden points=5` begins a hidden part, and `:::` ends it. Each is a line of its own, and the content between them is ordinary
 * Markdown. Inside a list, a quote or another part it is no beginning, and stays as text, which is refused.
 */
export function hiddenRule(state: StateBlock, startLine: number, _: number, isSilent: boolean): boolean {
  const { env, level, bMarks, tShift, eMarks, sCount, src, blkIndent } = state
  const start = (bMarks[startLine] ?? 0) + (tShift[startLine] ?? 0)
  if (!env.hides || (sCount[startLine] ?? 0) - blkIndent > 3 || !isColon(src.charCodeAt(start))) return false
  const line = src.slice(start, eMarks[startLine])
  const content = beginPattern.exec(line)?.[1]
  const ends = content === undefined && env.isHidden && (isSilent || level === 1) && endPattern.test(line)
  if (content === undefined && !ends) return false
  if (isSilent) return true
  const token = ends ? state.push('hidden_close', '', -1) : state.push(level > 0 ? 'hidden' : 'hidden_open', '', level > 0 ? 0 : 1)
  token.content = content ?? ''
  token.map = [startLine, startLine + 1]
  if (ends || level === 0) env.isHidden = !ends
  state.line = startLine + 1
  return true
}

function isColon(code: number): boolean {
  return code === 0x3a || code === 0xff1a
}

const openingPattern = /^hidden[ \t]+([a-z]+)(?:[=＝](?:"((?:\\.|[^"\\])*)"|([^\s"#]+)))?(?:[ \t]+#([\w-]{1,40}))?[ \t]*$/i
const amountPattern = /^(\d{1,15})(?:\.(\d{1,2}))?$/

/** Parses the opening line of a hidden part. An unknown condition makes a part that cannot be opened, which is refused. */
export function parseOpening(line: string): Part {
  const [, name = '', quoted, plain = '', id] = openingPattern.exec(line) ?? []
  const lock = locks.find((one) => one === name.toLowerCase())
  if (!lock) return { lock: 'comment', value: line.trim() || '?' }
  return { ...(id && { id }), lock, value: quoted === undefined ? plainValue(lock, plain) : quoted.replace(/\\(.)/g, '$1') }
}

/** The opening line of a part. */
export function formatOpening({ id, lock, value }: Part): string {
  const suffix = value === '' ? '' : `=${lock === 'balance' ? formatAmount(value) : formatValue(value)}`
  return `${partEnd}hidden ${lock}${suffix}${id ? ` #${id}` : ''}`
}

/** Parses an amount of whole units and hundredths into hundredths. Null if invalid. */
export function parseCents(written: string): string | null {
  const [, whole, hundredths = ''] = amountPattern.exec(normalizeNumber(written)) ?? []
  return whole === undefined ? null : String(BigInt(whole + hundredths.padEnd(2, '0')))
}

/** Hundredths as a decimal amount; an invalid value unchanged. */
export function formatCents(value: string): string {
  if (!isCents(value)) return value
  const digits = value.padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function isCents(value: string): boolean {
  return /^(?:0|[1-9]\d{0,14})$/.test(value)
}

function plainValue(lock: Lock, plain: string): string {
  if (lock !== 'balance' && lock !== 'points' && lock !== 'level') return plain
  const number = normalizeNumber(plain)
  return (lock === 'balance' ? parseCents(number) : null) ?? number
}

function formatAmount(value: string): string {
  return isCents(value) ? formatCents(value) : quotedValue(value)
}

function formatValue(value: string): string {
  return /^[\p{L}\p{N}._-]+$/u.test(value) ? value : quotedValue(value)
}

function quotedValue(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`
}
