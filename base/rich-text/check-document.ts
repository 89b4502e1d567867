import { z } from 'zod'
import { countCharacters, maxUnitsPerCharacter } from '#base/characters.ts'
import { hasStackedMarks, hasVisibleText } from '#base/plain-text.ts'
import { wholeDocument, maxMarks, plainDocument, type Doc, type Link, type Node } from '#base/rich-text/document.ts'
import { faultInParts, type Fault } from '#base/rich-text/hidden-part.ts'
import { normalise } from '#base/rich-text/normalise.ts'
import { toText } from '#base/rich-text/to-text.ts'

export type DocumentOptions = {
  /** The maximum length, in characters as people count them. */
  maxText: number
  maxPictures?: number
  maxFiles?: number
  maxMentions?: number
  /** Only paragraphs and pictures, as in replies. */
  isPlain?: boolean
  /** Allows hidden parts, as in topics. */
  hides?: boolean
}

/** The effective limits of a document. */
export type DocumentLimits = {
  characters: number
  pictures: number
  files: number
  mentions: number
  nodes: number
  depth: number
  isPlain: boolean
  hides: boolean
}

const maxDepth = 20
const maxNodes = 5000
// The total length of link addresses and titles: not part of the text's limit, but parsed with it.
const maxAddressLength = 100_000
/** The most hidden parts in one topic; a site may allow fewer. */
export const maxHiddenParts = 20

/** The schema of a post's document. Size and depth are checked first, so that a hostile one costs little; each fault has one message. */
export function documentOf(options: DocumentOptions): z.ZodType<Doc, Doc> {
  const { maxText, maxPictures = 50, maxFiles = 20, maxMentions = 30, isPlain = false, hides = false } = options
  const limits: DocumentLimits = {
    characters: maxText,
    pictures: maxPictures,
    files: maxFiles,
    mentions: maxMentions,
    nodes: maxNodes,
    depth: maxDepth,
    isPlain,
    hides,
  }
  const shape = isPlain ? plainDocument : wholeDocument
  const schema = z.unknown().transform((value, context): Doc => {
    const seen = countTotals(value, maxText)
    const excess = faultIn(seen, limits)
    const document = !excess && z.validate(shape, value) ? normalise(value as Doc) : null
    const isHeaped = document !== null && hasStackedMarks(toText(document))
    const wrong = excess ?? (document && faultInParts(document))
    if (document && !wrong && !isHeaped && !seen.isBlank) return document
    const isNothing = value === null || value === undefined || document !== null
    const params = wrong ?? { code: isHeaped ? 'validation.marks' : isNothing ? 'base.documentEmpty' : 'base.documentInvalid' }
    context.issues.push({ code: 'custom', input: value, params })
    return z.NEVER
  })
  return schema.meta({ document: limits }) as unknown as z.ZodType<Doc, Doc>
}

/** Whether a document has the right structure, and at most so many nodes; its length is not checked. */
export function hasShape(doc: unknown, { isPlain = false, nodes = Infinity } = {}): doc is Doc {
  return isWithin(doc, 0, { nodes }) && z.validate(isPlain ? plainDocument : wholeDocument, doc)
}

function isWithin(node: unknown, depth: number, left: { nodes: number }): boolean {
  if (typeof node !== 'object' || node === null || depth > maxDepth || left.nodes-- <= 0) return false
  const { content = [] } = node as Partial<Node>
  return Array.isArray(content) && content.every((child) => isWithin(child, depth + 1, left))
}

function countTotals(value: unknown, maxText: number): DocumentTotals {
  const seen = newTotals()
  countNode(value, 0, seen, maxText)
  return seen
}

function faultIn(totals: DocumentTotals, limits: DocumentLimits): Fault | null {
  if (totals.isTooDeep) return { code: 'base.documentTooDeep' }
  if (totals.nodes > limits.nodes) return { code: 'base.documentTooManyParts' }
  if (totals.parts > 0 && !limits.hides) return { code: 'base.hiddenNotHere' }
  if (totals.partsWithin > 0) return { code: 'base.hiddenWithin' }
  if (totals.parts > maxHiddenParts) return { code: 'base.hiddenTooMany', values: { max: maxHiddenParts } }
  if (totals.text > limits.characters || totals.units > limits.characters * maxUnitsPerCharacter)
    return { code: 'base.documentTooLong', values: { max: limits.characters } }
  if (totals.addresses > maxAddressLength) return { code: 'base.documentAddresses', values: { max: maxAddressLength } }
  if (totals.pictures > limits.pictures) return { code: 'base.documentPictures', values: { max: limits.pictures } }
  if (totals.files > limits.files) return { code: 'base.documentFiles', values: { max: limits.files } }
  if (totals.mentions > limits.mentions) return { code: 'base.documentMentions', values: { max: limits.mentions } }
  return null
}

type DocumentTotals = {
  nodes: number
  /** In characters as people see them, and in UTF-16 units. */
  text: number
  units: number
  addresses: number
  pictures: number
  files: number
  mentions: number
  parts: number
  /** Hidden parts that are nested in another block. */
  partsWithin: number
  isTooDeep: boolean
  isBlank: boolean
}

function newTotals(): DocumentTotals {
  return {
    nodes: 0,
    text: 0,
    units: 0,
    addresses: 0,
    pictures: 0,
    files: 0,
    mentions: 0,
    parts: 0,
    partsWithin: 0,
    isTooDeep: false,
    isBlank: true,
  }
}

// Nodes that are visible without text.
const visibleNodes = new Set(['image', 'file', 'mention'])

function countNode(value: unknown, depth: number, totals: DocumentTotals, maxText: number): void {
  if (totals.nodes > maxNodes || totals.text > maxText) return
  // Invalid nodes count too, because each costs a fault of its own.
  totals.nodes++
  if (typeof value !== 'object' || value === null) return
  if (depth > maxDepth) {
    totals.isTooDeep = true
    return
  }
  const node = value as Partial<Node> & { marks?: unknown }
  if (Array.isArray(node.marks)) countMarks(node.marks, totals)
  if (node.type === 'image') totals.pictures++
  if (node.type === 'file') totals.files++
  if (node.type === 'mention') totals.mentions++
  // A part without content is an existing one that stays unchanged.
  if (node.type === 'hidden' && node.content) totals.parts++
  if (node.type === 'hidden' && depth !== 1) totals.partsWithin++
  if (typeof node.text === 'string') measureText(node.text, totals, maxText)
  if (visibleNodes.has(node.type ?? '') || (typeof node.text === 'string' && hasVisibleText(node.text))) totals.isBlank = false
  if (Array.isArray(node.content)) for (const child of node.content) countNode(child, depth + 1, totals, maxText)
}

// A text beyond every limit is refused by its number of units alone.
function measureText(text: string, totals: DocumentTotals, maxText: number): void {
  totals.units += text.length
  totals.text += text.length > maxText * maxUnitsPerCharacter ? text.length : countCharacters(text)
}

function countMarks(marks: readonly (Partial<Link> | null)[], totals: DocumentTotals): void {
  if (marks.length > maxMarks) totals.nodes += marks.length
  else for (const mark of marks) totals.addresses += lengthOf(mark?.attrs?.href) + lengthOf(mark?.attrs?.title)
}

function lengthOf(text: unknown): number {
  return typeof text === 'string' ? text.length : 0
}
