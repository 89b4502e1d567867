const cjk = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef]`
const brokenLine = new RegExp(String.raw`(?<=${cjk})[ \t]*\r?\n[ \t\r\n]*(?=${cjk})`, 'gu')
const blocks = 'p, div, section, ul, ol, li, table, td, th, blockquote, pre, hr, figure, h1, h2, h3, h4, h5, h6'

/** Spaces that are spaces: none that hold words together, none in front of a paragraph, and none where a Chinese line was broken. */
export function plainText(pasted: HTMLElement): void {
  for (const end of pasted.querySelectorAll('br')) if (isBetweenBlocks(end)) end.remove()
  const texts = textsIn(pasted).filter((text) => !text.parentElement?.closest('pre, code'))
  for (const text of texts) text.data = text.data.replaceAll(brokenLine, '')
  // Of a part of a line, the spaces at its ends belong to it; a browser writes them so that they last.
  if (!pasted.querySelector(blocks)) return
  for (const text of texts) {
    text.data = text.data.replaceAll('\u00a0', ' ')
    if (isFirstIn(text)) text.data = text.data.replace(/^[\s\u3000]+/, '')
  }
  for (const text of texts) putSpacesOutside(text)
}

function textsIn(pasted: HTMLElement): Text[] {
  const walker = pasted.ownerDocument.createTreeWalker(pasted, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  return texts
}

// What only keeps two paragraphs apart.
function isBetweenBlocks(end: Element): boolean {
  if (end.className === 'Apple-interchange-newline') return true
  const [before, after] = [end.previousSibling, end.nextSibling].map((node, side) => pastBlanks(node, side === 0))
  return isEdge(before) && isEdge(after) && (before ?? after) !== null
}

function pastBlanks(first: Node | null, isBack: boolean): Node | null {
  let node = first
  while (
    node &&
    (node.nodeName === 'BR' || node.nodeType === Node.COMMENT_NODE || (node.nodeType === Node.TEXT_NODE && !node.textContent?.trim()))
  )
    node = isBack ? node.previousSibling : node.nextSibling
  return node
}

function isEdge(node: Node | null | undefined): boolean {
  return !node || (node instanceof Element && node.matches(blocks))
}

/** Whether nothing is said before it in the paragraph that it belongs to. */
function isFirstIn(text: Text): boolean {
  const block = text.parentElement?.closest(blocks)
  if (!block) return false
  for (let node: Node | null = text; node && node !== block; node = node.parentNode) {
    if (saysSomethingBefore(node)) return false
  }
  return true
}

function saysSomethingBefore(node: Node): boolean {
  for (let before = node.previousSibling; before; before = before.previousSibling) {
    if (before.textContent?.trim() || before.nodeName === 'BR' || before.nodeName === 'IMG') return true
  }
  return false
}

const inline = 'span, b, strong, i, em, s, del, u, a, font'

/** A space at the end of what is bold is not bold. */
function putSpacesOutside(text: Text): void {
  const [, before = '', said = '', after = ''] = /^(\s*)([^]*?)(\s*)$/.exec(text.data) ?? []
  if (!said || !text.parentElement?.matches(inline)) return
  text.data = said
  if (before) outermost(text, 'previousSibling').before(' ')
  if (after) outermost(text, 'nextSibling').after(' ')
}

function outermost(node: ChildNode, side: 'previousSibling' | 'nextSibling'): ChildNode {
  const around = node.parentElement
  return !node[side] && around?.matches(inline) ? outermost(around, side) : node
}
