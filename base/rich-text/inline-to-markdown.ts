import type { Block, Inline, Link, Mark, Text } from '#base/rich-text/document.ts'
import { documentFrom } from '#base/rich-text/from-markdown.ts'
import { sameMark, sameMarks } from '#base/rich-text/normalise.ts'
import { linkTarget } from '#base/rich-text/safe-url.ts'

export type BlockKind = 'paragraph' | 'heading' | 'cell'
type MarkdownStyle = { escapes: 'little' | 'all'; marks: 'stars' | 'spans'; addresses: 'bare' | 'angle' }

// From the most readable style to the safest: everything escaped, and every mark as a span.
const bareStyle: MarkdownStyle = { escapes: 'little', marks: 'stars', addresses: 'bare' }
const angleStyle: MarkdownStyle = { ...bareStyle, addresses: 'angle' }
const spanStyle: MarkdownStyle = { ...angleStyle, marks: 'spans' }
const safestStyle: MarkdownStyle = { ...spanStyle, escapes: 'all' }

/** The remaining budget for trial round trips; beyond it the safest style is used. */
export type TrialBudget = { left: number }

// The length of the longest document, and part of it a second time.
const maxTrialLength = 80_000
// The minimum cost of a trial.
const trialCost = 20

export function newTrialBudget(): TrialBudget {
  return { left: maxTrialLength }
}

/** A line in the first style that parses back to the same line. */
export function inlineMarkdown(inlines: readonly Inline[], place: BlockKind, budget: TrialBudget): string {
  if (inlines.length === 0) return ''
  const [only] = inlines
  if (inlines.length === 1 && only?.type === 'text' && !only.marks && isPlainWords(only.text)) return only.text
  const hasAddress = inlines.some((inline) => inline.type === 'text' && isAddress(inline))
  for (const style of hasAddress ? [bareStyle, angleStyle, spanStyle] : [bareStyle, spanStyle]) {
    if (budget.left < 0) break
    const text = inStyle(inlines, place, style)
    budget.left -= text.length + trialCost
    if (roundTrips(text, inlines, place)) return text
  }
  return inStyle(inlines, place, safestStyle)
}

// Plain words need no trial.
function isPlainWords(text: string): boolean {
  return /^\p{L}[^\\`*_~<>[\]{}|#&@:/=\s]*(?: [^\\`*_~<>[\]{}|#&@:/=\s]+)*$/u.test(text)
}

function roundTrips(text: string, inlines: readonly Inline[], place: BlockKind): boolean {
  const [block, ...others] = documentFrom(inPlace(text, place)).content
  return others.length === 0 && same(inlinesIn(block, place), inlines)
}

function inPlace(text: string, place: BlockKind): string {
  if (place === 'heading') return `## ${text}`
  return place === 'cell' ? `| ${text.replaceAll('|', '\\|')} |\n| --- |` : text
}

function inlinesIn(block: Block | undefined, place: BlockKind): readonly Inline[] | undefined {
  if (place === 'cell') return block?.type === 'table' ? block.content[0]?.content[0]?.content[0].content : undefined
  return block?.type === place ? block.content : undefined
}

function same(some: readonly Inline[] | undefined, others: readonly Inline[]): boolean {
  return some?.length === others.length && some.every((inline, at) => sameInline(inline, others[at]))
}

function sameInline(one: Inline, other: Inline | undefined): boolean {
  if (one.type === 'text') return other?.type === 'text' && one.text === other.text && sameMarks(one.marks, other.marks)
  if (one.type === 'mention') return other?.type === 'mention' && one.attrs.id === other.attrs.id && one.attrs.label === other.attrs.label
  return other?.type === 'hardBreak'
}

function inStyle(inlines: readonly Inline[], place: BlockKind, style: MarkdownStyle): string {
  const pieces: string[] = []
  let open: Mark[] = []
  for (const [at, inline] of inlines.entries()) {
    const marks = inline.type === 'text' && style.marks === 'stars' ? starMarks(inline, style) : []
    const mismatch = marks.findIndex((mark, depth) => !sameMark(mark, open[depth]))
    const shared = mismatch < 0 ? Math.min(marks.length, open.length) : mismatch
    pieces.push(...open.slice(shared).reverse().map(closing), ...marks.slice(shared).map(opening))
    open = marks
    const isAtEdge = pieces.at(-1)?.endsWith('\n') ?? true
    if (inline.type === 'hardBreak')
      pieces.push(place !== 'paragraph' || style.escapes === 'all' || at === inlines.length - 1 ? '<br>' : '\\\n')
    else if (inline.type === 'mention') pieces.push(`@[${escapeText(inline.attrs.label)}](member:${inline.attrs.id})`)
    else pieces.push(textMarkdown(inline, style, isAtEdge))
  }
  return [...pieces, ...open.reverse().map(closing)].join('')
}

function starMarks(text: Text, style: MarkdownStyle): Mark[] {
  const marks = text.marks ?? []
  return isAddress(text) && style.escapes === 'little'
    ? marks.filter((mark) => mark.type !== 'link' && mark.type !== 'code')
    : marks.filter((mark) => mark.type !== 'code')
}

function isAddress({ text, marks }: Text): boolean {
  const href = /\s/.test(text) ? null : linkTarget(text)
  return (
    marks?.some((mark) => mark.type === 'link' && mark.attrs.href === href && !mark.attrs.title) === true &&
    !marks.some((mark) => mark.type === 'code')
  )
}

const signs = { bold: '**', italic: '*', strike: '~~' } as const

function opening(mark: Mark): string {
  if (mark.type === 'link') return '['
  return mark.type === 'code' ? '' : signs[mark.type]
}

function closing(mark: Mark): string {
  return mark.type === 'link' ? `](${address(mark)})` : opening(mark)
}

function address({ attrs: { href, title } }: Link): string {
  const written = href.replace(/[\\()<>&]/g, '\\$&')
  return title ? `${written} "${title.replace(/[\\"&]/g, '\\$&')}"` : written
}

function textMarkdown(inline: Text, style: MarkdownStyle, isAtEdge: boolean): string {
  const marks = inline.marks ?? []
  const escaped = style.escapes === 'all' ? escapeText(inline.text) : escapeLittle(inline.text, isAtEdge)
  if (style.marks === 'stars') {
    if (isAddress(inline)) return style.addresses === 'bare' ? inline.text : `<${inline.text}>`
    return marks.some((mark) => mark.type === 'code') ? code(inline.text) : escaped
  }
  const names = marks.flatMap((mark) => (mark.type === 'link' || mark.type === 'code' ? [] : mark.type))
  const inner = marks.some((mark) => mark.type === 'code') ? code(inline.text) : escaped
  const link = marks.find((mark) => mark.type === 'link')
  const linked = link ? `[${inner}](${address(link)})` : inner
  return names.length > 0 ? `[${linked}]{${names.join(' ')}}` : linked
}

function code(text: string): string {
  const runs = new Set([...text.matchAll(/`+/g)].map(([run]) => run.length))
  let length = 1
  while (runs.has(length)) length++
  const pad = /^`|`$|^ .+ $/.test(text) ? ' ' : ''
  return '`'.repeat(length) + pad + text + pad + '`'.repeat(length)
}

/** Escapes every ASCII punctuation character, and writes the others with a meaning as entities, so that the text is literal anywhere. */
export function escapeText(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&').replace(/^[\s：]|\s$/g, entity)
}

// Full-width colons of a hidden part cannot be escaped by a backslash.
function escapedColon(colon: string): string {
  return colon === ':' ? '\\:' : entity(colon)
}

function entity(space: string): string {
  return `&#${space.charCodeAt(0)};`
}

function escapeLittle(text: string, isAtEdge: boolean): string {
  const escaped = text
    .replace(/[\\`*[\]]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|~(?=~)|(?<=~)~|<(?=[a-z/!?])|&(?=#?\w+;)/gi, '\\$&')
    .replace(/(https?)(:\/\/)/gi, '$1\\$2')
  if (!isAtEdge) return escaped
  return escaped
    .replace(/^[:：](?=[:：])/, escapedColon)
    .replace(/^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|[>|]|[=-]+(?=\s*$))/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
}
