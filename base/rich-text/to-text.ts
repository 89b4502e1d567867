import { countCharacters, truncate } from '#base/characters.ts'
import { hasVisibleText } from '#base/plain-text.ts'
import type { Attachment, Doc, Mention, Node, Picture, Text } from '#base/rich-text/document.ts'

const blockTypes = new Set(['paragraph', 'heading', 'codeBlock', 'tableRow', 'listItem', 'taskItem', 'blockquote', 'hidden'])

/** The plain text of a document, for search, quotes and summaries: one line per block. */
export function toText(doc: Doc): string {
  return textOf(doc)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\s]*/g, '\n')
    .trim()
}

/** Whether a document shows nothing: no ink, no picture, no file and nobody's name. */
export function isBlank(doc: Doc): boolean {
  return !hasVisibleText(toText(doc)) && picturesOf(doc).length + attachmentsOf(doc).length + mentionsOf(doc).length === 0
}

/** The beginning of the text on one line, cut between graphemes. */
export function summaryOf(doc: Doc, length = 180): string {
  return truncate(toText(doc).replaceAll('\n', ' '), length)
}

export function picturesOf(doc: Doc): Picture['attrs'][] {
  return nodesOf(doc).flatMap((node) => (node.type === 'image' ? [node.attrs as Picture['attrs']] : []))
}

export function attachmentsOf(doc: Doc): Attachment['attrs'][] {
  return nodesOf(doc).flatMap((node) => (node.type === 'file' ? [node.attrs as Attachment['attrs']] : []))
}

export function mentionsOf(doc: Doc): Mention['attrs'][] {
  return nodesOf(doc).flatMap((node) => (node.type === 'mention' ? [node.attrs as Mention['attrs']] : []))
}

/** The link targets, without duplicates. */
export function linksOf(doc: Doc): string[] {
  const marks = nodesOf(doc).flatMap((node) => (node.type === 'text' ? ((node as Text).marks ?? []) : []))
  return [...new Set(marks.flatMap((mark) => (mark.type === 'link' ? [mark.attrs.href] : [])))]
}

/** The length, counted as the limits do: in characters as people see them. */
export function lengthOf(doc: Doc): number {
  return nodesOf(doc).reduce((length, node) => length + countCharacters(node.text ?? ''), 0)
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.content ?? []).flatMap(nodesOf)]
}

function textOf(node: Node): string {
  if (node.type === 'text') return node.text ?? ''
  if (node.type === 'hardBreak') return '\n'
  if (node.type === 'mention') return `@${String(node.attrs?.['label'])}`
  if (node.type === 'file') return `${String(node.attrs?.['name'])}\n`
  const inner = (node.content ?? []).map(textOf).join(node.type === 'tableRow' ? ' ' : '')
  return blockTypes.has(node.type) ? `${inner}\n` : inner
}
