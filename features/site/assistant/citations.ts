import type { SourceView } from '#assistant/contract.ts'
import type { Doc, Link, Node } from '#base/rich-text/document.ts'
import { linksOf } from '#base/rich-text/to-text.ts'

type TextNode = Node & { text: string; marks?: ({ type: string } | Link)[] | undefined }

const numbers = String.raw`\d{1,3}(?:\s*[,，、]\s*\d{1,3})*`
/** The marks that models cite with, whatever they were asked for. */
const mark = new RegExp(
  [
    String.raw`\[(?:citation|cite|source|ref|来源|引用)[:：_ ]?\s*(${numbers})\]`,
    String.raw`【(?:来源|引用)?\s*(${numbers})\s*(?:[†:：][^】]*)?】`,
    String.raw`<cite[^>]*>\s*\[?(${numbers})\]?\s*</cite>`,
    String.raw`\[\^(${numbers})\]`,
    String.raw`\^?\[(${numbers})\]\^?`,
  ]
    .map((form) => `(?:<sup>)?${form}(?:</sup>)?`)
    .join('|'),
  'giu',
)
const opening = /[[【<]/u
const bare = /^\^?\[[\d\s,，、]+\]/u
const ownMark = /^\[\d+\]$/

/** Whether a text may cite at all: a look at each piece of a long document takes as long as its parsing. */
export function mayCite(text: string): boolean {
  return opening.test(text)
}

/** The sources that a document leads to, in the order of their first links: so they are numbered in it, and in the list below. */
export function citedSources(doc: Doc, sources: readonly SourceView[]): SourceView[] {
  return linksOf(doc).flatMap((href) => sources.find(({ path }) => path === href) ?? [])
}

/**
 * A document whose marks lead to their sources, such as `[1]` and `【3】`, and are counted as the list below counts them. Marks that name no
 * source are taken out, but for numbers in brackets where there are no sources: those may be a part of the text.
 */
export function citeSources(doc: Doc, sources: readonly SourceView[]): Doc {
  const linked = mapTexts(doc, (node) => linkMarks(node, sources)) as Doc
  const order = citedSources(linked, sources).map(({ path }) => path)
  return mapTexts(linked, (node) => {
    const place = ownMark.test(node.text) ? order.indexOf(hrefOf(node) ?? '') : -1
    return [place < 0 ? node : { ...node, text: `[${place + 1}]` }]
  }) as Doc
}

function mapTexts(node: Node, change: (node: TextNode) => TextNode[]): Node {
  if (!node.content || node.type === 'codeBlock') return node
  const content = joined(node.content).flatMap((inner): Node[] => (isText(inner) ? change(inner) : [mapTexts(inner, change)]))
  return { ...node, content }
}

function isText(node: Node): node is TextNode {
  return node.type === 'text' && node.text !== undefined
}

/** The same nodes, with neighbours of the same marks in one: a mark may lie in several. */
function joined(nodes: readonly Node[]): Node[] {
  const all: Node[] = []
  for (const node of nodes) {
    const last = all.at(-1)
    if (last && isText(last) && isText(node) && haveSameMarks(last, node)) all[all.length - 1] = { ...last, text: last.text + node.text }
    else all.push(node)
  }
  return all
}

function haveSameMarks({ marks: some = [] }: TextNode, { marks: others = [] }: TextNode): boolean {
  return some.length === others.length && (some.length === 0 || JSON.stringify(some) === JSON.stringify(others))
}

function hrefOf({ marks = [] }: TextNode): string | null {
  const link = marks.find((one): one is Link => one.type === 'link')
  return link?.attrs.href ?? null
}

function linkMarks(node: TextNode, sources: readonly SourceView[]): TextNode[] {
  const { text, marks = [] } = node
  if (!mayCite(text) || hrefOf(node) !== null || marks.some(({ type }) => type === 'code')) return [node]
  const pieces: TextNode[] = []
  let from = 0
  for (const found of text.matchAll(mark)) {
    if (sources.length === 0 && bare.test(found[0])) continue
    const named = found
      .slice(1)
      .flatMap((list) => list?.match(/\d+/g) ?? [])
      .flatMap((number) => sources.find((source) => source.number === Number(number)) ?? [])
    const before = text.slice(from, found.index)
    pieces.push({ ...node, text: named.length === 0 ? before.trimEnd() : before })
    for (const { number, path } of named)
      pieces.push({ ...node, text: `[${number}]`, marks: [...marks, { type: 'link', attrs: { href: path } }] })
    from = found.index + found[0].length
  }
  pieces.push({ ...node, text: text.slice(from) })
  return pieces.filter((piece) => piece.text !== '')
}
