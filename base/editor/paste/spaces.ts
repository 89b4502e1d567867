import { blocks } from '#base/editor/paste/blocks.ts'

const cjk = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef]`
const brokenLine = new RegExp(String.raw`(?<=${cjk})[ \t]*\r?\n[ \t\r\n]*(?=${cjk})`, 'gu')

/** Normalizes spaces: no non-breaking ones, none at the beginning of a paragraph, and none where a Chinese line was wrapped. */
export function normalizeSpaces(pasted: HTMLElement): void {
  for (const end of endsBetweenBlocks(pasted)) end.remove()
  const texts = textsIn(pasted).filter((text) => !text.parentElement?.closest('pre, code'))
  for (const text of texts) if (!keepsLines(text)) text.data = text.data.replaceAll(brokenLine, '')
  // A fragment of a line keeps the spaces at its ends, which the browser encodes to last.
  if (!pasted.querySelector(blocks)) return
  const first = firstTexts(pasted)
  for (const text of texts) {
    text.data = text.data.replaceAll('\u00a0', ' ')
    if (first.has(text)) text.data = text.data.trimStart()
  }
  for (const text of texts) putSpacesOutside(text)
}

// Line breaks are preserved there.
function keepsLines(text: Text): boolean {
  return (
    text.data.includes('\n') &&
    /^(?:pre|break)/.test(text.parentElement?.closest<HTMLElement>('[style*="white-space"]')?.style.whiteSpace ?? '')
  )
}

function textsIn(pasted: HTMLElement): Text[] {
  const walker = pasted.ownerDocument.createTreeWalker(pasted, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  return texts
}

// A line break that only separates two paragraphs.
function endsBetweenBlocks(pasted: HTMLElement): Element[] {
  const [back, on] = [new Map<Node, Node | null>(), new Map<Node, Node | null>()]
  return [...pasted.querySelectorAll('br')].filter((end) => {
    if (end.className === 'Apple-interchange-newline') return true
    const [before, after] = [skipBlanks(end, 'previousSibling', back), skipBlanks(end, 'nextSibling', on)]
    return isEdge(before) && isEdge(after) && (before ?? after) !== null
  })
}

// If one blank is leading, all before it are too, so each is visited once.
function skipBlanks(end: Element, side: 'previousSibling' | 'nextSibling', known: Map<Node, Node | null>): Node | null {
  const passed: Node[] = []
  let node = end[side]
  while (node && isBlank(node) && !known.has(node)) {
    passed.push(node)
    node = node[side]
  }
  const found = node && isBlank(node) ? (known.get(node) ?? null) : node
  for (const one of passed) known.set(one, found)
  return found
}

function isBlank(node: Node): boolean {
  return node.nodeName === 'BR' || node.nodeType === Node.COMMENT_NODE || (node.nodeType === Node.TEXT_NODE && !node.textContent?.trim())
}

function isEdge(node: Node | null): boolean {
  return !node || (node instanceof Element && node.matches(blocks))
}

/** The first text nodes of each paragraph. */
function firstTexts(pasted: HTMLElement): Set<Text> {
  const walker = pasted.ownerDocument.createTreeWalker(pasted, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  const saying = new Set<Node>()
  const first = new Set<Text>()
  while (walker.nextNode()) {
    const node = walker.currentNode
    const block = node instanceof Text ? node.parentElement?.closest(blocks) : null
    if (node instanceof Text && block && !saying.has(block)) first.add(node)
    if (node instanceof Text ? !node.data.trim() : node.nodeName !== 'BR' && node.nodeName !== 'IMG') continue
    for (let around = node.parentNode; around && !saying.has(around); around = around.parentNode) saying.add(around)
  }
  return first
}

const inline = 'span, b, strong, i, em, s, del, u, a, font'

/** Moves a trailing space out of its formatting. */
function putSpacesOutside(text: Text): void {
  const { data } = text
  const trimmed = data.trim()
  if (!trimmed || !text.parentElement?.matches(inline) || keepsLines(text)) return
  text.data = trimmed
  const after = !data.endsWith(trimmed)
  if (!data.startsWith(trimmed)) outermost(text, 'previousSibling').before(' ')
  if (after) outermost(text, 'nextSibling').after(' ')
}

function outermost(node: ChildNode, side: 'previousSibling' | 'nextSibling'): ChildNode {
  const around = node.parentElement
  return !node[side] && around?.matches(inline) ? outermost(around, side) : node
}
