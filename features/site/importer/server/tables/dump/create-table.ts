import type { Token } from '#importer/server/tables/dump/tokens.ts'

/** What a column holds, as far as its cells differ by it. */
export type Content = 'integer' | 'fraction' | 'bits' | 'boolean' | 'bytes' | 'text' | 'other'
export type DumpColumn = { name: string; type: string; content: Content; charset: string | null }

const contents: Readonly<Record<string, Content>> = {
  ...all('integer', 'tinyint smallint mediumint int integer bigint year smallserial serial bigserial bool int2 int4 int8'),
  ...all('fraction', 'decimal numeric dec fixed float double real float4 float8'),
  ...all('text', 'char varchar tinytext text mediumtext longtext enum set character bpchar citext json jsonb name nchar nvarchar'),
  ...all('bytes', 'bytea'),
  bit: 'bits',
  boolean: 'boolean',
}

function all(content: Content, types: string): Record<string, Content> {
  return Object.fromEntries(types.split(' ').map((type) => [type, content]))
}

const tableParts = new Set('primary unique key index fulltext spatial constraint check foreign exclude like period'.split(' '))

/** The columns of CREATE TABLE, from the tokens after the table's name; none if it names none. */
export function columnsOfCreate(tokens: readonly Token[], dialect: 'mysql' | 'postgres'): DumpColumn[] {
  if (!isMark(tokens[0], '(')) return []
  const { items, rest } = itemsOf(tokens)
  const tableCharset = charsetIn(rest)
  return items.flatMap(([name, ...definition]): DumpColumn[] => {
    const word = textOf(name)
    if (word === null || (name?.kind === 'word' && tableParts.has(word.toLowerCase()))) return []
    const type = textOf(definition[0])?.toLowerCase() ?? ''
    const content = contentOf(type, dialect)
    const charset = content === 'text' ? (charsetIn(definition) ?? tableCharset) : null
    return [{ name: word, type, content, charset }]
  })
}

function contentOf(type: string, dialect: 'mysql' | 'postgres'): Content {
  // MySQL's BOOLEAN is a number, and PostgreSQL's bit string a text.
  if (dialect === 'mysql' && type === 'boolean') return 'integer'
  if (dialect === 'postgres' && type === 'bit') return 'other'
  return contents[type] ?? 'other'
}

/** The parts between the brackets that are separated by commas, and what comes after them. */
function itemsOf(tokens: readonly Token[]): { items: Token[][]; rest: readonly Token[] } {
  const items: Token[][] = [[]]
  let depth = 0
  for (const [at, token] of tokens.entries()) {
    if (isMark(token, ')') && --depth === 0) return { items, rest: tokens.slice(at + 1) }
    if (depth === 1 && isMark(token, ',')) items.push([])
    else if (depth > 0) items.at(-1)?.push(token)
    if (isMark(token, '(')) depth++
  }
  return { items, rest: [] }
}

/** `CHARACTER SET gbk`, `CHARSET=gbk`, or what the collation says. */
function charsetIn(tokens: readonly Token[]): string | null {
  for (const [at, token] of tokens.entries()) {
    const word = token.kind === 'word' ? token.text.toLowerCase() : ''
    const isCharset = word === 'charset' || (word === 'set' && textOf(tokens[at - 1])?.toLowerCase() === 'character')
    if (!isCharset && word !== 'collate') continue
    const value = textOf(isMark(tokens[at + 1], '=') ? tokens[at + 2] : tokens[at + 1])?.toLowerCase() ?? null
    if (value !== null) return isCharset ? value : (value.split('_')[0] ?? value)
  }
  return null
}

export function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text
}

/** The text of a word or name, or null. */
export function textOf(token: Token | undefined): string | null {
  return token?.kind === 'word' || token?.kind === 'name' ? token.text : null
}
