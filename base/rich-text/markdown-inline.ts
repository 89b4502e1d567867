import type { Inline, Mark, Text } from '#base/rich-text/document.ts'

/** How carefully signs are written: as one would by hand, with signs kept apart, or with everything escaped. */
export type Manner = 'plain' | 'apart' | 'careful'
export const manners: readonly Manner[] = ['plain', 'apart', 'careful']

/** A line cannot be broken by a new line, as in headings and cells. */
type Place = 'paragraph' | 'line'

const fences = { bold: '**', italic: '*', strike: '~~' } as const
const apart = '<!-- -->'

export function inlineMarkdown(inlines: readonly Inline[], place: Place, manner: Manner): string {
  let written = ''
  let open: Mark[] = []
  inlines.forEach((inline, index) => {
    const wanted = inline.type === 'text' ? (inline.marks ?? []).filter((mark) => mark.type !== 'code') : []
    const kept = open.slice(0, keptOf(open, wanted))
    const opened = byLength(
      wanted.filter((mark) => !hasMark(kept, mark)),
      inlines,
      index,
    )
    const signs = [...open.slice(kept.length).toReversed().map(closing), ...opened.map(opening)]
    written += signs.length > 0 && manner !== 'plain' ? ['', ...signs, ''].join(apart) : signs.join('')
    open = [...kept, ...opened]
    written += oneMarkdown(inline, { inlines, index, place, manner, startsLine: written === '' || written.endsWith('\n') })
  })
  const ends = open.toReversed().map(closing)
  return written + (ends.length > 0 && manner !== 'plain' ? ['', ...ends, ''].join(apart) : ends.join(''))
}

function keptOf(open: readonly Mark[], wanted: readonly Mark[]): number {
  const lost = open.findIndex((mark) => !hasMark(wanted, mark))
  return lost < 0 ? open.length : lost
}

function hasMark(marks: readonly Mark[], mark: Mark): boolean {
  return marks.some((other) => JSON.stringify(other) === JSON.stringify(mark))
}

/** What goes on longest is opened first, so that it need not be closed in between. */
function byLength(marks: readonly Mark[], inlines: readonly Inline[], from: number): Mark[] {
  const reach = (mark: Mark) => {
    const end = inlines.findIndex((inline, index) => index > from && !(inline.type === 'text' && hasMark(inline.marks ?? [], mark)))
    return end < 0 ? inlines.length : end
  }
  return marks.toSorted((one, other) => reach(other) - reach(one))
}

function opening(mark: Mark): string {
  return mark.type === 'link' ? '[' : mark.type === 'code' ? '' : fences[mark.type]
}

function closing(mark: Mark): string {
  return mark.type === 'link' ? `](${address(mark.attrs.href)})` : opening(mark)
}

// Safe addresses hold no spaces, but may hold what ends an address in Markdown.
function address(href: string): string {
  return /[()<>&\\*_]/.test(href) || href === '' ? `<${href.replaceAll(/[<>\\&]/g, '\\$&')}>` : href
}

type Around = { inlines: readonly Inline[]; index: number; place: Place; manner: Manner; startsLine: boolean }

function oneMarkdown(inline: Inline, around: Around): string {
  if (inline.type === 'mention') return `@[${escapeAll(inline.attrs.label)}](member:${inline.attrs.id})`
  if (inline.type === 'hardBreak') return breakMarkdown(around)
  return inline.marks?.some((mark) => mark.type === 'code') ? codeMarkdown(inline.text) : textMarkdown(inline, around)
}

function breakMarkdown({ inlines, index, place, manner }: Around): string {
  const isBetween = [inlines[index - 1], inlines[index + 1]].every((other) => other && other.type !== 'hardBreak')
  return place === 'paragraph' && manner === 'plain' && isBetween ? '\n' : '<br>'
}

function codeMarkdown(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const needsSpace = /^`|`$/.test(text) || (/^ .* $/s.test(text) && text.trim() !== '')
  return needsSpace ? `${fence} ${text} ${fence}` : fence + text + fence
}

const signs = /[!-/:-@[-`{-~]/g

export function escapeAll(text: string): string {
  return text.replaceAll(signs, '\\$&')
}

function textMarkdown({ text, marks = [] }: Text, { inlines, index, place, manner, startsLine }: Around): string {
  if (manner === 'careful') return edges(escapeAll(text).replaceAll(/ (?= )|\t/g, entity), true, true)
  const isLink = marks.some((mark) => mark.type === 'link')
  const escaped = text
    .replaceAll(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\')
    .replaceAll(/[`*]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
    .replaceAll(/<(?=[a-z/!?])|&(?=#?\w+;)|@(?=\[)|[!@](?=$)|^~|~(?=~|$)/gi, '\\$&')
    .replaceAll(isLink ? /[[\]]/g : /\[(?=.*\]\()/g, '\\$&')
  const begins = startsLine ? atLineStart(escaped, index > 0) : escaped
  const finished = place === 'line' && index === inlines.length - 1 ? begins.replace(/#$/, '\\#') : begins
  const isStruck = marks.some((mark) => mark.type === 'strike')
  return edges(finished, isStruck || !isText(inlines[index - 1]), isStruck || !isText(inlines[index + 1]))
}

function isText(inline: Inline | undefined): boolean {
  return inline !== undefined && inline.type !== 'hardBreak'
}

/** What would begin a heading, quote, list, rule, table or box at the start of a line. */
function atLineStart(text: string, isLater: boolean): string {
  const begun = text
    .replace(/^(?:#{1,6}(?=\s|$)|[+-](?=[\s:|-]|$)|[>|]|:(?=-)|=(?==*\s*$)|~|\[(?=[ x]\]))/i, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
  return isLater ? begun : begun.replace(/^\\=/, '=')
}

/** Spaces at either end would be lost. */
function edges(text: string, left: boolean, right: boolean): string {
  const begun = left ? text.replace(/^[ \t]+/, (spaces) => spaces.replaceAll(/./g, entity)) : text
  return right ? begun.replace(/[ \t]+$/, (spaces) => spaces.replaceAll(/./g, entity)) : begun
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`
}
