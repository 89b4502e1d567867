// The editor's parser only knows the blocks of posts.
const unknownBlocks = 'details, summary, main, nav, dt, center, dialog, legend, search'
const inlineDisplay = /^inline(?!-(?:flex|grid|table))/
const blockDisplay = /^(?:block|flex|grid|table|list-item|flow-root)/

/** Turns unknown block elements into blocks the parser knows; inline elements stay inline. */
export function convertUnknownBlocks(pasted: HTMLElement): void {
  for (const block of pasted.querySelectorAll(unknownBlocks)) rename(block, 'div')
  for (const list of pasted.querySelectorAll('menu, dir')) rename(list, 'ul')
  for (const caption of pasted.querySelectorAll('table > caption')) caption.parentElement?.before(rename(caption, 'p'))
  for (const element of pasted.querySelectorAll<HTMLElement>('[style*="display"]')) {
    const { display } = element.style
    if (blockDisplay.test(display) && element.matches('span, a, b, strong, i, em, u, s, font, label, code, small')) hoistBlock(element)
    if (inlineDisplay.test(display) && element.matches('div, p, section, article, header, footer')) unwrapFirstLine(element)
  }
}

/** The block elements that the editor's parser separates from the preceding line. */
export const blocks =
  'p, div, section, article, aside, header, footer, address, ul, ol, li, dl, dd, table, td, th, blockquote, pre, hr, figure, figcaption, fieldset, h1, h2, h3, h4, h5, h6'
const parsedBlocks = 'p, ul, ol, li, table, tbody, thead, tfoot, tr, td, th, blockquote, pre, h1, h2, h3, h4, h5, h6'

/** Whether an element begins on a new line. */
export function isBlock(element: HTMLElement): boolean {
  return element.matches(`${blocks}, tr`) || blockDisplay.test(element.style.display)
}

/** Moves a trailing line break out of its element: the parser drops one at the end of an unknown element. */
export function moveTrailingBreaks(pasted: HTMLElement): void {
  for (const end of pasted.querySelectorAll('br')) {
    for (let around = end.parentElement; around && around !== pasted && !end.nextSibling && !isBlock(around); around = end.parentElement)
      around.after(end)
  }
}

/** Wraps lines beside blocks in paragraphs, because the parser drops their leading and trailing blanks. */
export function wrapLines(pasted: HTMLElement): void {
  const holding = new Set<Node>()
  for (const block of pasted.querySelectorAll(blocks)) {
    for (let around: Node | null = block.parentNode; around && !holding.has(around); around = around.parentNode) holding.add(around)
  }
  for (const around of [pasted, ...pasted.querySelectorAll('*')]) {
    if (!holding.has(around) || around.matches(parsedBlocks)) continue
    let line: HTMLElement | null = null
    for (const node of Array.from(around.childNodes)) {
      if (holding.has(node) || (node instanceof Element && node.matches(blocks))) line = null
      else if (line) line.append(node)
      else if (node.nodeType !== Node.TEXT_NODE || node.textContent?.trim()) {
        line = around.ownerDocument.createElement('p')
        node.before(line)
        line.append(node)
      }
    }
  }
}

// The first line of an element that contains blocks continues the line before it, so no element may enclose both.
function unwrapFirstLine(element: HTMLElement): void {
  if (element.querySelector(blocks)) element.replaceWith(...element.childNodes)
  else rename(element, 'span')
}

// Moves inline formatting, such as a link, into the block.
function hoistBlock(element: HTMLElement): void {
  const block = element.ownerDocument.createElement('div')
  element.style.display = ''
  element.replaceWith(block)
  block.append(element)
  // A paragraph cannot contain a block: the parser would join the following line to the block.
  const paragraph = block.closest('p')
  if (paragraph) rename(paragraph, 'div')
}

export function rename(element: Element, name: string): HTMLElement {
  const renamed = element.ownerDocument.createElement(name)
  renamed.append(...element.childNodes)
  element.replaceWith(renamed)
  return renamed
}
