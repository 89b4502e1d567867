import { tagForms } from '#importer/server/body/discuz-tags.ts'
import type { DiscuzToken } from '#importer/server/body/discuz-tokens.ts'

/**
 * The tokens as Discuz! takes them: tags that need their end and have none are text, and so are cells outside of tables. A table without
 * tags of cells has a row in each line, divided by `|`.
 */
export function resolved(tokens: readonly DiscuzToken[]): DiscuzToken[] {
  const paired = pairedTokens(tokens)
  const withCells = tablesWithCells(tokens, paired)
  const result: DiscuzToken[] = []
  const tables: ('tags' | 'lines')[] = []
  for (const token of tokens) {
    const inTable = tables.at(-1)
    if (token.type === 'begin' || token.type === 'end') {
      const isCell = token.name === 'tr' || token.name === 'td'
      if (isCell ? inTable !== 'tags' : tagForms.get(token.name)?.needsEnd && !paired.has(token)) {
        addText(result, token.source)
        continue
      }
      if (token.name === 'table' && token.type === 'begin') tables.push(withCells.has(token) ? 'tags' : 'lines')
      if (token.name === 'table' && token.type === 'end') tables.pop()
      result.push(token)
    } else if (token.type === 'text') {
      if (inTable === 'lines') addLines(result, token.text)
      else addText(result, token.text)
    } else result.push(token)
  }
  return result
}

function pairedTokens(tokens: readonly DiscuzToken[]): Set<DiscuzToken> {
  const paired = new Set<DiscuzToken>()
  const open = new Map<string, DiscuzToken[]>()
  for (const token of tokens) {
    if ((token.type !== 'begin' && token.type !== 'end') || !tagForms.get(token.name)?.needsEnd) continue
    const begins = open.get(token.name) ?? []
    open.set(token.name, begins)
    const begin = token.type === 'end' ? begins.pop() : undefined
    if (token.type === 'begin') begins.push(token)
    else if (begin) paired.add(begin).add(token)
  }
  return paired
}

function tablesWithCells(tokens: readonly DiscuzToken[], paired: ReadonlySet<DiscuzToken>): Set<DiscuzToken> {
  const withCells = new Set<DiscuzToken>()
  const open: DiscuzToken[] = []
  for (const token of tokens) {
    if (token.type !== 'begin' && token.type !== 'end') continue
    const table = open.at(-1)
    if (table && (token.name === 'tr' || token.name === 'td')) withCells.add(table)
    if (token.name !== 'table' || !paired.has(token)) continue
    if (token.type === 'begin') open.push(token)
    else open.pop()
  }
  return withCells
}

/** Texts beside each other are one, for the addresses and names in them. */
function addText(tokens: DiscuzToken[], text: string): void {
  const last = tokens.at(-1)
  if (last?.type === 'text') tokens[tokens.length - 1] = { type: 'text', text: last.text + text }
  else tokens.push({ type: 'text', text })
}

const rowTag: DiscuzToken = { type: 'begin', name: 'tr', argument: '', source: '' }
const cellTag: DiscuzToken = { type: 'begin', name: 'td', argument: '', source: '' }

function addLines(tokens: DiscuzToken[], text: string): void {
  const last = tokens.at(-1)
  const isFirst = last?.type === 'begin' && last.name === 'table'
  text.split(/\r\n|\r|\n/).forEach((line, at) => {
    if (at > 0) tokens.push(rowTag)
    // A bar after a backslash is a character.
    const cells = line.split(/(?<!\\)\|/)
    cells.forEach((cell, column) => {
      if (column > 0 || (cells.length > 1 && (at > 0 || isFirst))) tokens.push(cellTag)
      const cellText = cell.replaceAll(String.raw`\|`, '|')
      if (cellText.trim() !== '') addText(tokens, cellText)
    })
  })
}
