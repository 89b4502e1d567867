import type { Translate } from '#base/web/words.tsx'
import { convertUnknownBlocks, moveTrailingBreaks, wrapLines, rename } from '#base/editor/paste/blocks.ts'
import { normalizeCodeBlocks } from '#base/editor/paste/code.ts'
import { flatLists } from '#base/editor/paste/flat-lists.ts'
import { resolveRedirects } from '#base/editor/paste/links.ts'
import { normalizeLists } from '#base/editor/paste/lists.ts'
import { picturesAsLinks } from '#base/editor/paste/pictures.ts'
import { normalizeSpaces } from '#base/editor/paste/spaces.ts'
import { splitSpans } from '#base/editor/paste/spans.ts'
import { wordLists } from '#base/editor/paste/word-lists.ts'

/**
 * Normalizes HTML from other programs and pages: real lists, code blocks and link targets. Formatting without a counterpart in the schema,
 * such as colours, is ignored by the parser.
 */
export function normalizePasted(pasted: HTMLElement, words: Translate): void {
  dropHidden(pasted)
  convertUnknownBlocks(pasted)
  wordLists(pasted)
  flatLists(pasted)
  normalizeLists(pasted)
  for (const table of pasted.querySelectorAll('table')) if (table.querySelectorAll('td, th').length === 1) unwrapCell(table)
  normalizeCodeBlocks(pasted)
  picturesAsLinks(pasted, words('picture'))
  resolveRedirects(pasted)
  shiftHeadings(pasted)
  for (const table of pasted.querySelectorAll('table')) splitSpans(table)
  moveTrailingBreaks(pasted)
  wrapLines(pasted)
  dropEmpty(pasted)
  normalizeSpaces(pasted)
}

const droppedElements =
  'script, style, noscript, template, svg, canvas, object, embed, iframe, audio, video, button, select, textarea, [hidden]'
const hiddenStyle = /display:\s*none|visibility:\s*hidden|mso-hide:\s*all|font-size:\s*0(?![.\d])/i

function dropHidden(pasted: HTMLElement): void {
  for (const element of pasted.querySelectorAll(droppedElements)) element.remove()
  for (const element of pasted.querySelectorAll('[style]')) if (hiddenStyle.test(element.getAttribute('style') ?? '')) element.remove()
  // VML drawings contain no text; other Office elements, such as `o:p`, may.
  for (const element of pasted.querySelectorAll('*')) if (/^v:/i.test(element.tagName)) element.remove()
}

const maxLevel = 4

// Headings in a post start at level two, so a text with levels one and two is shifted by one.
function shiftHeadings(pasted: HTMLElement): void {
  for (const title of pasted.querySelectorAll('p.MsoTitle')) rename(title, 'h1')
  const isLower = pasted.querySelector('h1') !== null && pasted.querySelector('h2') !== null
  for (const heading of pasted.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    for (const bold of heading.querySelectorAll('b, strong')) bold.replaceWith(...bold.childNodes)
    for (const styled of heading.querySelectorAll<HTMLElement>('[style]')) styled.style.fontWeight = ''
    const level = Number(heading.tagName[1])
    if (isLower) rename(heading, `h${Math.min(maxLevel, level + 1)}`)
  }
}

// A table with one cell is page layout or a frame.
function unwrapCell(table: HTMLTableElement): void {
  const cell = table.querySelector('td, th')
  if (cell) table.replaceWith(rename(cell, 'div'))
}

const lines = 'p, div, section, h1, h2, h3, h4, h5, h6, blockquote, figure, figcaption'
const inlineElements = 'span, a, b, strong, i, em, s, del, u, font, small, label'

/** Empty elements are no paragraphs, but still separate their neighbours. */
function dropEmpty(pasted: HTMLElement): void {
  for (const element of [...pasted.querySelectorAll(`${lines}, ${inlineElements}`)].toReversed()) {
    const says = element.textContent.trim() !== '' || element.querySelector('img, hr, table, pre, li') !== null
    if (says || element.closest('td, th, li, pre, code')) continue
    if (element.matches(inlineElements)) element.replaceWith(...element.childNodes)
    else element.replaceWith(element.ownerDocument.createElement(isWithinLine(element) ? 'br' : 'div'))
  }
}

function isWithinLine({ previousSibling, nextSibling }: Element): boolean {
  return [previousSibling, nextSibling].every(
    (beside) => beside instanceof Text || (beside instanceof Element && beside.matches(`br, ${inlineElements}`)),
  )
}
