const lineNumbers = '.code-snippet__line-index, .line-numbers-rows, .gutter, .linenos, .lineno, .blob-num, .hljs-ln-numbers'

/** Pieces of code as text, line by line, with their language; those too that an editor of code wrote as lines of a fixed width. */
export function codeAsWritten(pasted: HTMLElement): void {
  for (const numbers of pasted.querySelectorAll(lineNumbers)) numbers.remove()
  for (const block of pasted.querySelectorAll<HTMLElement>('div[style]'))
    if (isFromCodeEditor(block)) block.replaceWith(pre(block, linesOf(block)))
  for (const block of pasted.querySelectorAll('pre')) block.replaceWith(pre(block, textOf(block)))
}

function isFromCodeEditor({ style, parentElement }: HTMLElement): boolean {
  return /monospace/i.test(style.fontFamily) && style.whiteSpace.startsWith('pre') && !parentElement?.closest('pre')
}

function linesOf(block: HTMLElement): string {
  const lines = [...block.children].filter(({ tagName }) => tagName === 'DIV' || tagName === 'BR')
  return lines.length > 0 ? lines.map(({ textContent }) => textContent).join('\n') : block.textContent
}

// Some pages write each line as a piece of code of its own.
function textOf(block: HTMLElement): string {
  for (const end of block.querySelectorAll('br')) end.replaceWith('\n')
  const lines = block.querySelectorAll(':scope > code')
  return lines.length > 1 ? [...lines].map(({ textContent }) => textContent.replace(/\n$/, '')).join('\n') : block.textContent
}

function pre(block: HTMLElement, text: string): HTMLElement {
  const page = block.ownerDocument
  const [made, code] = [page.createElement('pre'), page.createElement('code')]
  made.className = block.className
  code.className = block.querySelector('code')?.className ?? ''
  const language = block.dataset['language'] ?? block.dataset['lang'] ?? block.getAttribute('lang') ?? languageAround(block)
  if (language) made.dataset['language'] = language
  code.textContent = text.replaceAll('\u00a0', ' ').replace(/\n$/, '')
  made.append(code)
  return made
}

function languageAround(block: HTMLElement): string | undefined {
  return /highlight-source-([\w+#.-]+)/.exec(block.parentElement?.className ?? '')?.[1]
}
