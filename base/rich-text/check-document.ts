import { z } from 'zod'
import { countOf, mostUnits } from '#base/characters.ts'
import { hasHeapedMarks, isSeen } from '#base/plain-text.ts'
import { wholeDocument, mostMarks, plainDocument, type Doc, type Link, type Node } from '#base/rich-text/document.ts'
import { wrongWithParts, type Fault } from '#base/rich-text/hidden-part.ts'
import { normalise } from '#base/rich-text/normalise.ts'
import { toText } from '#base/rich-text/to-text.ts'

export type Limits = {
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

const deepest = 20
const mostNodes = 5000
// The total length of link addresses and titles: not part of the text's limit, but parsed with it.
const mostAddresses = 100_000
/** The most hidden parts in one topic; a site may allow fewer. */
export const mostParts = 20

/** The schema of a post's document. Size and depth are checked first, so that a hostile one costs little; each fault has one message. */
export function documentOf(wished: Limits): z.ZodType<Doc, Doc> {
  const { maxText, maxPictures = 50, maxFiles = 20, maxMentions = 30, isPlain = false, hides = false } = wished
  const limits: DocumentLimits = {
    characters: maxText,
    pictures: maxPictures,
    files: maxFiles,
    mentions: maxMentions,
    nodes: mostNodes,
    depth: deepest,
    isPlain,
    hides,
  }
  const shape = isPlain ? plainDocument : wholeDocument
  const schema = z.unknown().transform((value, context): Doc => {
    const seen = seenIn(value, maxText)
    const excess = excessIn(seen, limits)
    const document = !excess && z.validate(shape, value) ? normalise(value as Doc) : null
    const isHeaped = document !== null && hasHeapedMarks(toText(document))
    const wrong = excess ?? (document && wrongWithParts(document))
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
  if (typeof node !== 'object' || node === null || depth > deepest || left.nodes-- <= 0) return false
  const { content = [] } = node as Partial<Node>
  return Array.isArray(content) && content.every((child) => isWithin(child, depth + 1, left))
}

function seenIn(value: unknown, maxText: number): DocumentTotals {
  const seen = newlySeen()
  look(value, 0, seen, maxText)
  return seen
}

function excessIn(seen: DocumentTotals, limits: DocumentLimits): Fault | null {
  if (seen.isTooDeep) return { code: 'base.documentTooDeep' }
  if (seen.nodes > limits.nodes) return { code: 'base.documentTooManyParts' }
  if (seen.parts > 0 && !limits.hides) return { code: 'base.hiddenNotHere' }
  if (seen.partsWithin > 0) return { code: 'base.hiddenWithin' }
  if (seen.parts > mostParts) return { code: 'base.hiddenTooMany', values: { max: mostParts } }
  if (seen.text > limits.characters || seen.units > limits.characters * mostUnits)
    return { code: 'base.documentTooLong', values: { max: limits.characters } }
  if (seen.addresses > mostAddresses) return { code: 'base.documentAddresses', values: { max: mostAddresses } }
  if (seen.pictures > limits.pictures) return { code: 'base.documentPictures', values: { max: limits.pictures } }
  if (seen.files > limits.files) return { code: 'base.documentFiles', values: { max: limits.files } }
  if (seen.mentions > limits.mentions) return { code: 'base.documentMentions', values: { max: limits.mentions } }
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

function newlySeen(): DocumentTotals {
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
const shown = new Set(['image', 'file', 'mention'])

function look(value: unknown, depth: number, seen: DocumentTotals, maxText: number): void {
  if (seen.nodes > mostNodes || seen.text > maxText) return
  // Invalid nodes count too, because each costs a fault of its own.
  seen.nodes++
  if (typeof value !== 'object' || value === null) return
  if (depth > deepest) {
    seen.isTooDeep = true
    return
  }
  const node = value as Partial<Node> & { marks?: unknown }
  if (Array.isArray(node.marks)) lookAtMarks(node.marks, seen)
  if (node.type === 'image') seen.pictures++
  if (node.type === 'file') seen.files++
  if (node.type === 'mention') seen.mentions++
  // A part without content is an existing one that stays unchanged.
  if (node.type === 'hidden' && node.content) seen.parts++
  if (node.type === 'hidden' && depth !== 1) seen.partsWithin++
  if (typeof node.text === 'string') measure(node.text, seen, maxText)
  if (shown.has(node.type ?? '') || (typeof node.text === 'string' && isSeen(node.text))) seen.isBlank = false
  if (Array.isArray(node.content)) for (const child of node.content) look(child, depth + 1, seen, maxText)
}

// A text beyond every limit is refused by its number of units alone.
function measure(text: string, seen: DocumentTotals, maxText: number): void {
  seen.units += text.length
  seen.text += text.length > maxText * mostUnits ? text.length : countOf(text)
}

function lookAtMarks(marks: readonly (Partial<Link> | null)[], seen: DocumentTotals): void {
  if (marks.length > mostMarks) seen.nodes += marks.length
  else for (const mark of marks) seen.addresses += lengthOf(mark?.attrs?.href) + lengthOf(mark?.attrs?.title)
}

function lengthOf(text: unknown): number {
  return typeof text === 'string' ? text.length : 0
}
