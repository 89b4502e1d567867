import { hash } from 'node:crypto'
import { lazyPackage } from '#base/server/lazy-package.ts'

const loadIconv = lazyPackage((require) => require('iconv-lite') as typeof import('iconv-lite'))

type Forms = (typed: string) => (string | Uint8Array)[]

/** The forms of a typed text that each program hashes, the likeliest first. */
export const families = {
  // An account that a script or a converter made has the plain text.
  phpbb: (typed) => [phpbbForm(typed), typed],
  phpbb2: (typed) => [phpbbForm(typed), typed, withSlashes(typed), inWindows1252(withSlashes(typed))],
  discuz: (typed) => [trim(typed), typed],
  // Accounts from before `password:shaWrapped` have the plain text.
  nodebb: (typed) => [hash('sha512', typed), typed],
  flarum: (typed) => [typed],
  discourse: (typed) => [typed],
  // A browser digests the text as typed; the administration trims it.
  diyhi: (typed) => [typed, trim(typed)],
} satisfies Record<string, Forms>

export type FormFamily = keyof typeof families

/** The bytes that may have been hashed, without repetition. A page in GBK sent GBK, its scripts UTF-8. */
export function formsOf(family: FormFamily, isGbk: boolean, typed: string): Uint8Array[] {
  const forms: Forms = families[family]
  const bytes = forms(typed).flatMap((form) => {
    if (typeof form !== 'string') return [form]
    return isGbk ? [inGbk(form), Buffer.from(form)] : [Buffer.from(form)]
  })
  return withoutRepetition(bytes)
}

export function withoutRepetition(texts: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(texts.map((text) => [Buffer.from(text).toString('latin1'), text])).values()]
}

/** phpBB's `type_cast_helper::set_var` for text of several bytes: every field of a form comes through it, passwords too. */
function phpbbForm(typed: string): string {
  const text = typed.replaceAll(/\r\n?/g, '\n').replaceAll('\u{FEFF}', '')
  return trim(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').normalize('NFC')
}

/** PHP's `trim`, which leaves the blanks of other scripts. */
function trim(text: string): string {
  const blanks = ' \t\n\r\v'
  let [start, end] = [0, text.length]
  while (start < end && blanks.includes(text.charAt(start))) start++
  while (end > start && blanks.includes(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** PHP's `addslashes`: phpBB 2 hashed the field with them. */
function withSlashes(typed: string): string {
  return typed.replaceAll(/['"\\]/g, String.raw`\$&`)
}

// phpBB 2 had pages in Windows-1252; phpBB 3 leaves a character that is not in it as it is.
function inWindows1252(text: string): Uint8Array {
  return encode(text, 'win1252', (one) => Buffer.from(one))
}

// The URL Standard has a form send a character that its page's encoding lacks as a decimal reference.
function inGbk(text: string): Uint8Array {
  return encode(text, 'gbk', (one) => Buffer.from(`&#${one.codePointAt(0)};`))
}

function encode(text: string, charset: string, instead: (one: string) => Uint8Array): Uint8Array {
  const iconv = loadIconv()
  return Buffer.concat(
    [...text].map((one) => {
      const bytes = iconv.encode(one, charset)
      return iconv.decode(bytes, charset) === one ? bytes : instead(one)
    }),
  )
}
