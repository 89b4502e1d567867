import type MarkdownIt from 'markdown-it'
import blockquote from 'markdown-it/lib/rules_block/blockquote.mjs'
import list from 'markdown-it/lib/rules_block/list.mjs'
import type StateBlock from 'markdown-it/lib/rules_block/state_block.mjs'
import table from 'markdown-it/lib/rules_block/table.mjs'

/** The deepest nesting of the parser; documents allow twenty levels. */
export const maxNesting = 40
const maxQuoteDepth = maxNesting - 2
const maxListDepth = maxNesting - 3
const maxLazyDepth = 4
const maxColumns = 100
const maxCells = 5000

/** Keeps parsing linear in the length of the text: excessive structure is plain text. */
export function limitParser(md: MarkdownIt): void {
  md.block.ruler.at('blockquote', quoteRule, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
  md.block.ruler.at('list', listRule, { alt: ['paragraph', 'reference', 'blockquote'] })
  md.block.ruler.at('table', tableRule, { alt: ['paragraph', 'reference'] })
}

// A lazy continuation line is checked once for each quote that it may belong to.
function quoteRule(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  if (state.level >= maxQuoteDepth) return false
  return blockquote(state, startLine, state.level < maxLazyDepth ? endLine : lastQuoted(state, startLine, endLine), isSilent)
}

function lastQuoted(state: StateBlock, startLine: number, endLine: number): number {
  let line = startLine + 1
  while (line < endLine && signsOf(state, line).startsWith('>')) line++
  return line
}

function listRule(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  return state.level < maxListDepth && list(state, startLine, endLine, isSilent)
}

// Short rows are padded to the table's width, so many of them under a wide header would exceed the source by far.
function tableRule(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const columns = startLine + 1 < endLine ? columnsIn(signsOf(state, startLine + 1)) : 0
  const rows = Math.floor((maxCells - cellsIn(state)) / columns)
  if (columns === 0 || columns > maxColumns || rows < 2) return false
  const first = state.tokens.length
  // The delimiter line below the header is no row.
  if (!table(state, startLine, Math.min(endLine, startLine + 1 + rows), isSilent)) return false
  if (!isSilent) keepExcess(state, first, columns)
  if (!isSilent) state.env.cells = cellsIn(state) + (state.line - startLine - 1) * columns
  return true
}

// Excess cells of a row go into its last column.
function keepExcess(state: StateBlock, first: number, columns: number): void {
  const { tokens } = state
  for (let at = first; at < tokens.length; at++) {
    const { type, map } = tokens[at] ?? {}
    const last = type === 'tr_open' && map ? tokens[at + 3 * columns - 1] : undefined
    if (last?.type === 'inline' && map) last.content = lastCellOf(signsOf(state, map[0]).trim(), columns)
  }
}

function lastCellOf(line: string, columns: number): string {
  const bars = [...line.matchAll(/(?<!\\)\|/g)].map(({ index }) => index)
  const starts = line.startsWith('|') ? bars : [-1, ...bars]
  const from = (starts[columns - 1] ?? line.length) + 1
  const to = bars.at(-1) === line.length - 1 && from < line.length ? line.length - 1 : line.length
  return line.slice(from, to).replaceAll('\\|', '|').trim()
}

function columnsIn(line: string): number {
  return /^[-:|]/.test(line) ? line.split('|').filter((column) => column.trim() !== '').length : 0
}

function cellsIn({ env }: StateBlock): number {
  return env.cells ?? 0
}

function signsOf({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string {
  return src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line])
}
