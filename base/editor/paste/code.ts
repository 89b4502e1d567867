import { isBlock, rename } from '#base/editor/paste/blocks.ts'
import { trimEndChars } from '#base/trim.ts'

const lineNumbers = '.code-snippet__line-index, .line-numbers-rows, .gutter, .linenos, .lineno, .blob-num, .hljs-ln-numbers'

/** Code blocks as text with line breaks and language, including code that other programs write line by line in other elements. */
export function normalizeCodeBlocks(pasted: HTMLElement): void {
  for (const numbers of pasted.querySelectorAll(lineNumbers)) numbers.remove()
  for (const old of pasted.querySelectorAll('listing, xmp')) rename(old, 'pre')
  for (const old of pasted.querySelectorAll('tt, samp')) rename(old, 'code')
  for (const table of pasted.querySelectorAll('table')) if (isOneCodeLineARow(table)) table.replaceWith(pre(table))
  for (const block of pasted.querySelectorAll<HTMLElement>('div[style], p[style], section[style]'))
    if (isFromCodeEditor(block)) block.replaceWith(pre(block))
  joinMonospaceLines(pasted)
  for (const block of pasted.querySelectorAll('pre')) if (!block.parentElement?.closest('pre')) block.replaceWith(pre(block))
}

function isOneCodeLineARow({ rows }: HTMLTableElement): boolean {
  return [...rows].every(({ cells: [cell, ...others] }) => others.length === 0 && cell?.matches('.blob-code, [style*="white-space: pre;"]'))
}

// Only code preserves its line structure in any font; with a monospace font it may wrap.
function isFromCodeEditor(block: HTMLElement): boolean {
  const { whiteSpace, fontFamily } = block.style
  return (whiteSpace === 'pre' || (whiteSpace.startsWith('pre') && isMonospace(fontFamily))) && !block.parentElement?.closest('pre')
}

const monospace = /monospace|\bmono\b|sfmono|courier|consol|menlo|monaco|\bcode\b|terminal|fixedsys|iosevka|\bhack\b/i

function isMonospace(fonts: string): boolean {
  return monospace.test(fonts)
}

const indented = /^(?:[ \u00a0]*\u00a0[ \u00a0]+|\t| {2,})\S/m

/** Consecutive paragraphs in a monospace font, some of them indented, are how word processors write code. */
function joinMonospaceLines(pasted: HTMLElement): void {
  const seen = new Set<Element>()
  for (const first of pasted.querySelectorAll<HTMLElement>('p, div')) {
    if (seen.has(first) || !isMonospaceLine(first)) continue
    const run = [first]
    for (let next = first.nextElementSibling; next && (isMonospaceLine(next) || isBlank(next)); next = next.nextElementSibling)
      run.push(next as HTMLElement)
    for (const line of run) seen.add(line)
    const text = trimEndChars(run.map((line) => (isBlank(line) ? '' : textOf(line))).join('\n'), '\n')
    if (!indented.test(text)) continue
    first.before(pre(first, text))
    for (const line of run) line.remove()
  }
}

function isMonospaceLine(line: Element): boolean {
  if (!line.matches('p, div') || line.closest('pre, li, td, th') || line.querySelector('*:is(p, div, ul, ol, table, pre, img)'))
    return false
  const walker = line.ownerDocument.createTreeWalker(line, NodeFilter.SHOW_TEXT)
  let says = false
  while (walker.nextNode()) {
    if (!walker.currentNode.textContent?.trim()) continue
    says = true
    if (!isMonospace(fontsAround(walker.currentNode))) return false
  }
  return says
}

function isBlank(element: Element): boolean {
  return element.matches('p, div') && element.textContent.trim() === '' && element.querySelector('img, hr, table') === null
}

function fontsAround(text: Node): string {
  for (let around = text.parentElement; around; around = around.parentElement) if (around.style.fontFamily) return around.style.fontFamily
  return ''
}

/** The text of a block by lines: each line break, block and row ends one. */
function textOf(block: Element): string {
  const pieces = block.querySelectorAll(':scope > code')
  // Some pages write each line as a code element of its own.
  if (pieces.length > 1) return [...pieces].map((piece) => withoutEnd(textOf(piece))).join('\n')
  const lines = { text: '', isEnded: false }
  for (const node of block.childNodes) read(node, lines)
  return lines.text
}

function read(node: Node, lines: { text: string; isEnded: boolean }): void {
  if (node instanceof Text) return append(node.data, lines)
  if (!(node instanceof HTMLElement)) return
  if (node.tagName === 'BR') return append('\n', lines)
  const isLine = isBlock(node)
  if (isLine && lines.text && !lines.text.endsWith('\n')) lines.isEnded = true
  if (node.matches('td + td')) append('\t', lines)
  const before = lines.text.length
  for (const inner of node.childNodes) read(inner, lines)
  if (node.matches('li, tr') && lines.text.length === before) append('\n', lines)
  if (isLine && !lines.text.endsWith('\n')) lines.isEnded = true
}

function append(text: string, lines: { text: string; isEnded: boolean }): void {
  if (text === '') return
  lines.text += lines.isEnded ? `\n${text}` : text
  lines.isEnded = false
}

function pre(block: HTMLElement, text = textOf(block)): HTMLElement {
  const page = block.ownerDocument
  const [element, code] = [page.createElement('pre'), page.createElement('code')]
  element.className = block.className
  code.className = block.querySelector('code')?.className ?? ''
  const language = block.dataset['language'] ?? block.dataset['lang'] ?? block.getAttribute('lang') ?? languageAround(block)
  if (language) element.dataset['language'] = language
  code.textContent = withoutEnd(text.replaceAll('\u00a0', ' '))
  element.append(code)
  return element
}

function withoutEnd(text: string): string {
  return text.replace(/\n$/, '')
}

function languageAround(block: HTMLElement): string | undefined {
  return /highlight-source-([\w+#.-]+)/.exec(block.parentElement?.className ?? '')?.[1]
}
