// The editor's reader knows the blocks that posts have, and those alone.
const others = 'details, summary, main, nav, dt, center, dialog, legend, search'
const inline = /^inline(?!-(?:flex|grid|table))/
const asBlock = /^(?:block|flex|grid|table|list-item|flow-root)/

/** What stands by itself elsewhere stands by itself here, though we have no name for it; what stands within a line stays in the line. */
export function blocksAsBlocks(pasted: HTMLElement): void {
  for (const block of pasted.querySelectorAll(others)) rename(block, 'div')
  for (const list of pasted.querySelectorAll('menu, dir')) rename(list, 'ul')
  for (const caption of pasted.querySelectorAll('table > caption')) caption.parentElement?.before(rename(caption, 'p'))
  for (const element of pasted.querySelectorAll<HTMLElement>('[style*="display"]')) {
    const { display } = element.style
    if (asBlock.test(display) && element.matches('span, a, b, strong, i, em, u, s, font, label, code, small')) standAlone(element)
    if (inline.test(display) && element.matches('div, p, section, article, header, footer')) joinLine(element)
  }
}

/** What the editor's reader keeps apart from the line before it. */
export const blocks =
  'p, div, section, article, aside, header, footer, address, ul, ol, li, dl, dd, table, td, th, blockquote, pre, hr, figure, figcaption, fieldset, h1, h2, h3, h4, h5, h6'
const known = 'p, ul, ol, li, table, tbody, thead, tfoot, tr, td, th, blockquote, pre, h1, h2, h3, h4, h5, h6'

/** Whether an element begins on a line of its own. */
export function isBlock(element: HTMLElement): boolean {
  return element.matches(`${blocks}, tr`) || asBlock.test(element.style.display)
}

/** The end of a line that is the last thing in an element stands behind it: of one that it does not know, the reader would drop it. */
export function endsOutside(pasted: HTMLElement): void {
  for (const end of pasted.querySelectorAll('br')) {
    for (let around = end.parentElement; around && around !== pasted && !end.nextSibling && !isBlock(around); around = end.parentElement)
      around.after(end)
  }
}

/** Lines that stand beside blocks are paragraphs, for beside them the reader drops what is but a blank. */
export function linesAsParagraphs(pasted: HTMLElement): void {
  const holding = new Set<Node>()
  for (const block of pasted.querySelectorAll(blocks)) {
    for (let around: Node | null = block.parentNode; around && !holding.has(around); around = around.parentNode) holding.add(around)
  }
  for (const around of [pasted, ...pasted.querySelectorAll('*')]) {
    if (!holding.has(around) || around.matches(known)) continue
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

// The first line of an element that holds blocks goes on from the line before it, so nothing may stand around both.
function joinLine(element: HTMLElement): void {
  if (element.querySelector(blocks)) element.replaceWith(...element.childNodes)
  else rename(element, 'span')
}

// What it is, such as a link, it is within the block.
function standAlone(element: HTMLElement): void {
  const block = element.ownerDocument.createElement('div')
  element.style.display = ''
  element.replaceWith(block)
  block.append(element)
  // A paragraph holds no block: the reader would join the line behind it to the block.
  const paragraph = block.closest('p')
  if (paragraph) rename(paragraph, 'div')
}

export function rename(element: Element, name: string): HTMLElement {
  const renamed = element.ownerDocument.createElement(name)
  renamed.append(...element.childNodes)
  element.replaceWith(renamed)
  return renamed
}
