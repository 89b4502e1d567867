import type { Block, Item, Task } from '#base/rich-text/document.ts'
import { escapeAll, inlineMarkdown, manners, type Manner } from '#base/rich-text/markdown-inline.ts'
import { readBlocks } from '#base/rich-text/markdown-reader.ts'
import { normalise } from '#base/rich-text/normalise.ts'

/** Normal blocks as Markdown. */
export function blocksMarkdown(blocks: readonly Block[], isItem = false): string {
  return blocks.reduce((written, block, place) => {
    const before = blocks[place - 1]
    const markdown = blockMarkdown(block, signsOf(blocks, place), isItem && place === 0)
    return before ? `${written}${isItem && standsClose(before, block) ? '\n' : '\n\n'}${markdown}` : markdown
  }, '')
}

/** Two lists in a row take different signs, or they would be read as one. */
function signsOf(blocks: readonly Block[], place: number): { bullet: string; point: string } {
  const family = familyOf(blocks[place])
  let listsBefore = 0
  while (family && familyOf(blocks[place - 1 - listsBefore]) === family) listsBefore++
  return listsBefore % 2 === 0 ? { bullet: '-', point: '.' } : { bullet: '*', point: ')' }
}

function familyOf(block: Block | undefined): string | null {
  if (block?.type === 'taskList') return 'bulletList'
  return block?.type === 'bulletList' || block?.type === 'orderedList' ? block.type : null
}

function standsClose(before: Block, block: Block): boolean {
  if (before.type !== 'paragraph') return false
  return block.type === 'bulletList' || block.type === 'taskList' || (block.type === 'orderedList' && block.attrs.start === 1)
}

function blockMarkdown(block: Block, { bullet, point }: { bullet: string; point: string }, isFirstOfItem: boolean): string {
  switch (block.type) {
    case 'paragraph':
      return block.content ? surely(block, (manner) => inlineMarkdown(block.content ?? [], 'paragraph', manner)) : '&nbsp;'
    case 'heading':
      return surely(block, (manner) => `${'#'.repeat(block.attrs.level)} ${inlineMarkdown(block.content ?? [], 'line', manner)}`.trim())
    case 'bulletList':
      return itemsMarkdown(block.content, () => `${bullet} `)
    case 'orderedList':
      return itemsMarkdown(block.content, (place) => `${Math.min(block.attrs.start + place, 999_999_999)}${point} `)
    case 'taskList':
      return itemsMarkdown(block.content, () => `${bullet} `)
    case 'blockquote':
      return blocksMarkdown(block.content).replaceAll(/^/gm, '> ').replaceAll(/^> $/gm, '>')
    case 'codeBlock':
      return codeMarkdown(block.attrs.language, block.content?.[0].text ?? '')
    case 'horizontalRule':
      return isFirstOfItem ? '___' : '---'
    case 'table':
      return surely(block, (manner) => tableMarkdown(block, manner))
    case 'image':
      return `![${escapeAll(block.attrs.alt)}](/file/${block.attrs.file} =${block.attrs.width}x${block.attrs.height})`
  }
}

/** The plainest way of writing a block that is read back as the same block. */
function surely(block: Block, write: (manner: Manner) => string): string {
  const wanted = JSON.stringify([block])
  const isRead = (way: string) => JSON.stringify(normalise({ type: 'doc', content: readBlocks(way) }).content) === wanted
  const ways = manners.map((manner) => write(manner))
  return ways.find(isRead) ?? ways.at(-1) ?? ''
}

function itemsMarkdown(items: readonly (Item | Task)[], sign: (place: number) => string): string {
  const written = items.map((item, place) => {
    const markdown = item.type === 'taskItem' ? taskMarkdown(item) : blocksMarkdown(item.content, true)
    return sign(place) + markdown.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(sign(place).length)}`)
  })
  return written.join(items.every(isShort) ? '\n' : '\n\n')
}

function taskMarkdown({ attrs, content }: Task): string {
  const box = attrs.checked ? '[x]' : '[ ]'
  const inside = blocksMarkdown(content, true)
  return content[0]?.type === 'paragraph' ? `${box} ${inside}` : `${box}\n\n${inside}`
}

function isShort({ content: [first, second, ...more] }: Item | Task): boolean {
  if (first?.type !== 'paragraph' || more.length > 0) return false
  if (!second) return true
  return standsClose(first, second) && 'content' in second && (second.content as (Item | Task)[]).every(isShort)
}

function codeMarkdown(language: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language === 'markup' ? '' : language}\n${text}${text ? '\n' : ''}${fence}`
}

const rules = { left: ':---', center: ':---:', right: '---:' }

function tableMarkdown({ content: [head, ...rows] }: Extract<Block, { type: 'table' }>, manner: Manner): string {
  const cells = head?.content ?? []
  const lines = [head, ...rows].map((row) =>
    line((row?.content ?? []).map((cell) => inlineMarkdown(cell.content[0].content ?? [], 'line', manner).replaceAll('|', '\\|'))),
  )
  lines.splice(1, 0, line(cells.map(({ attrs }) => (attrs.align ? rules[attrs.align] : '---'))))
  return lines.join('\n')
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
