import type { Block, Cell, Hidden, Inline, Item, Task } from '#base/rich-text/document.ts'
import { formatOpening, partEnd } from '#base/rich-text/hidden-line.ts'
import { escapeText, inlineMarkdown, newTrialBudget, type BlockKind, type TrialBudget } from '#base/rich-text/inline-to-markdown.ts'

/**
 * Blocks of a normalised document as Markdown, without a trailing line break. `begin` is the prefix of every further line; it is passed
 * down, because adding it from the inside out would repeat it for each nesting level.
 */
export function blocksAsMarkdown(blocks: readonly Block[], begin = '', trials = newTrialBudget(), isInPart = false): string {
  const texts: string[] = []
  let isSecond = false
  for (const [at, block] of blocks.entries()) {
    const kind = listKind(block)
    isSecond = kind !== null && listKind(blocks[at - 1]) === kind && !isSecond
    // A nested hidden part has no end line: its opening line is kept as text, which is refused.
    const text = isInPart && block.type === 'hidden' ? formatOpening(block.attrs) : blockMarkdown(block, isSecond, begin, trials)
    if (text !== '') texts.push(text)
  }
  return texts.join(emptyLine(begin))
}

// Two adjacent lists need different markers to stay two.
function listKind(block: Block | undefined): 'bullet' | 'ordered' | null {
  if (block?.type === 'orderedList') return 'ordered'
  return block?.type === 'bulletList' || block?.type === 'taskList' ? 'bullet' : null
}

function blockMarkdown(block: Block, isSecond: boolean, begin: string, budget: TrialBudget): string {
  const inline = (content: readonly Inline[] | undefined, place: BlockKind) =>
    prefixLines(inlineMarkdown(content ?? [], place, budget), begin)
  const items = (content: readonly (Item | Task)[], markerOf: (at: number) => string) => itemsMarkdown(content, markerOf, begin, budget)
  switch (block.type) {
    case 'paragraph':
      return inline(block.content, 'paragraph')
    case 'heading':
      return `${'#'.repeat(block.attrs.level)} ${inline(block.content, 'heading')}`
    case 'bulletList':
    case 'taskList':
      return items(block.content, () => (isSecond ? '*' : '-'))
    case 'orderedList':
      return items(block.content, (at) => `${Math.min(block.attrs.start + at, 999_999_999)}${isSecond ? ')' : '.'}`)
    case 'blockquote':
      return `> ${blocksAsMarkdown(block.content, `${begin}> `, budget)}`
    case 'codeBlock':
      return prefixLines(codeMarkdown(block.attrs.language, block.content?.[0].text ?? null), begin)
    case 'table':
      return tableMarkdown(
        block.content.map((row) => row.content),
        budget,
      ).join(`\n${begin}`)
    case 'image': {
      const { file, alt, width, height } = block.attrs
      return `![${escapeText(alt)}](file:${file}#${width}x${height})`
    }
    case 'file': {
      const { file, name, bytes } = block.attrs
      return `![${escapeText(name)}](file:${file}#${bytes})`
    }
    case 'horizontalRule':
      return '---'
    case 'hidden':
      return hiddenMarkdown(block, begin, budget)
  }
}

function prefixLines(text: string, begin: string): string {
  if (begin === '') return text
  const [first, ...others] = text.split('\n')
  return [first, ...others.map((line) => (line === '' ? begin.trimEnd() : begin + line))].join('\n')
}

function emptyLine(begin: string): string {
  return `\n${begin.trimEnd()}\n${begin}`
}

function itemsMarkdown(items: readonly (Item | Task)[], markerOf: (at: number) => string, begin: string, budget: TrialBudget): string {
  const isTight = items.every((item) => isShort(item.content))
  return items.map((item, at) => itemMarkdown(item, markerOf(at), begin, budget)).join(isTight ? `\n${begin}` : emptyLine(begin))
}

function isShort([first, second, ...rest]: readonly Block[]): boolean {
  return first?.type === 'paragraph' && rest.length === 0 && (second === undefined || interrupts(second))
}

// Lists that can directly follow a paragraph.
function interrupts(list: Block): boolean {
  if (list.type !== 'bulletList' && list.type !== 'taskList') return false
  const [first] = list.content[0]?.content ?? []
  return first?.type === 'paragraph' && first.content !== undefined && list.content.every((item) => isShort(item.content))
}

function itemMarkdown(item: Item | Task, marker: string, begin: string, budget: TrialBudget): string {
  const box = item.type === 'taskItem' ? `[${item.attrs.checked ? 'x' : ' '}]` : ''
  const beginInside = begin + ' '.repeat(marker.length + 1)
  const [first, ...others] = item.content
  const isText = first?.type === 'paragraph'
  const text = isText ? blockMarkdown(first, false, beginInside, budget) : ''
  const rest = isText ? others : item.content
  const head = [marker, box, text].filter(Boolean).join(' ')
  if (rest.length === 0) return head
  const isTight = (text !== '' && isShort(item.content)) || head === marker
  return head + (isTight ? `\n${beginInside}` : emptyLine(beginInside)) + blocksAsMarkdown(rest, beginInside, budget)
}

function codeMarkdown(language: string, text: string | null): string {
  const longest = Array.from((text ?? '').matchAll(/`+/g)).reduce((length, [run]) => Math.max(length, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language === 'markup' ? '' : language}\n${text === null ? '' : `${text}\n`}${fence}`
}

function hiddenMarkdown({ attrs, content = [] }: Hidden, begin: string, budget: TrialBudget): string {
  const inner = blocksAsMarkdown(content, begin, budget, true)
  const beginning = inner === '' ? formatOpening(attrs) : formatOpening(attrs) + emptyLine(begin) + inner
  if (begin !== '') return beginning
  return inner === '' ? `${beginning}\n${partEnd}` : `${beginning}\n\n${partEnd}`
}

const alignmentRows = { left: ':---', center: ':---:', right: '---:' } as const

function tableMarkdown(rows: readonly (readonly Cell[])[], budget: TrialBudget): string[] {
  const line = (rows[0] ?? []).map((cell) => (cell.attrs.align ? alignmentRows[cell.attrs.align] : '---'))
  const [header = '', ...others] = rows.map((cells) => rowMarkdown(cells.map((cell) => cellMarkdown(cell, budget))))
  return [header, rowMarkdown(line), ...others]
}

function rowMarkdown(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function cellMarkdown(cell: Cell, budget: TrialBudget): string {
  return inlineMarkdown(cell.content[0].content ?? [], 'cell', budget).replaceAll('|', '\\|')
}
