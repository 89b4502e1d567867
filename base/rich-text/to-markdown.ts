import type { Block, Cell, Inline, Item, Task } from '#base/rich-text/document.ts'
import { escapeText, inlineMarkdown } from '#base/rich-text/inline-to-markdown.ts'

/** Blocks of a normal document as Markdown, without a line's end after the last. */
export function blocksAsMarkdown(blocks: readonly Block[]): string {
  return blocks
    .map((block, at) => blockMarkdown(block, isSecondOfItsKind(blocks, at)))
    .filter((text) => text !== '')
    .join('\n\n')
}

// Two lists that follow one another stay two only when their markers differ.
function isSecondOfItsKind(blocks: readonly Block[], at: number): boolean {
  const kind = listKind(blocks[at])
  return kind !== null && listKind(blocks[at - 1]) === kind && !isSecondOfItsKind(blocks, at - 1)
}

function listKind(block: Block | undefined): 'bullet' | 'ordered' | null {
  if (block?.type === 'orderedList') return 'ordered'
  return block?.type === 'bulletList' || block?.type === 'taskList' ? 'bullet' : null
}

function blockMarkdown(block: Block, isSecond: boolean): string {
  switch (block.type) {
    case 'paragraph':
      return inlineMarkdown(block.content ?? [], 'paragraph')
    case 'heading':
      return `${'#'.repeat(block.attrs.level)} ${inlineMarkdown(block.content ?? [], 'heading')}`
    case 'bulletList':
      return itemsMarkdown(block.content, () => (isSecond ? '*' : '-'))
    case 'taskList':
      return itemsMarkdown(block.content, () => (isSecond ? '*' : '-'))
    case 'orderedList':
      return itemsMarkdown(block.content, (at) => `${Math.min(block.attrs.start + at, 999_999_999)}${isSecond ? ')' : '.'}`)
    case 'blockquote':
      return prefixed(blocksAsMarkdown(block.content), '> ', '> ')
    case 'codeBlock':
      return codeMarkdown(block.attrs.language, block.content?.[0].text ?? null)
    case 'table':
      return tableMarkdown(block.content.map((row) => row.content))
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
  }
}

function itemsMarkdown(items: readonly (Item | Task)[], markerOf: (at: number) => string): string {
  const isTight = items.every((item) => isShort(item.content))
  return items.map((item, at) => itemMarkdown(item, markerOf(at))).join(isTight ? '\n' : '\n\n')
}

function isShort([first, second, ...rest]: readonly Block[]): boolean {
  return first?.type === 'paragraph' && rest.length === 0 && (second === undefined || interrupts(second))
}

// Lists that may follow a paragraph on the next line.
function interrupts(list: Block): boolean {
  if (list.type !== 'bulletList' && list.type !== 'taskList') return false
  const [first] = list.content[0]?.content ?? []
  return first?.type === 'paragraph' && first.content !== undefined && list.content.every((item) => isShort(item.content))
}

function itemMarkdown(item: Item | Task, marker: string): string {
  const box = item.type === 'taskItem' ? `[${item.attrs.checked ? 'x' : ' '}]` : ''
  const indent = ' '.repeat(marker.length + 1)
  const [first, ...others] = item.content
  const isText = first?.type === 'paragraph'
  const text = isText ? blockMarkdown(first, false) : ''
  const rest = isText ? others : item.content
  const head = [marker, box, text && indented(text, indent)].filter(Boolean).join(' ')
  if (rest.length === 0) return head
  const isTight = (text !== '' && isShort(item.content)) || head === marker
  return `${head}${isTight ? '\n' : '\n\n'}${prefixed(blocksAsMarkdown(rest), indent, '')}`
}

function indented(text: string, indent: string): string {
  return text.replaceAll('\n', `\n${indent}`)
}

function prefixed(text: string, prefix: string, whenEmpty: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? whenEmpty.trimEnd() : prefix + line))
    .join('\n')
}

function codeMarkdown(language: string, text: string | null): string {
  const runs = [...(text ?? '').matchAll(/`+/g)].map(([run]) => run.length)
  const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)))
  return `${fence}${language === 'markup' ? '' : language}\n${text === null ? '' : `${text}\n`}${fence}`
}

const lines = { left: ':---', center: ':---:', right: '---:' } as const

function tableMarkdown([header = [], ...rows]: readonly (readonly Cell[])[]): string {
  const line = header.map((cell) => (cell.attrs.align ? lines[cell.attrs.align] : '---'))
  return [rowMarkdown(header.map(cellMarkdown)), rowMarkdown(line), ...rows.map((cells) => rowMarkdown(cells.map(cellMarkdown)))].join('\n')
}

function rowMarkdown(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function cellMarkdown(cell: Cell): string {
  return inlineMarkdown(cell.content[0].content ?? ([] as Inline[]), 'cell').replaceAll('|', '\\|')
}
