/** A text in which each tag of a block stands on a line of its own, and the lines of these tags: where each begins, and where it ends. */
export type SetOut = { text: string; ends: ReadonlyMap<number, number> }

const names = 'quote|chat|details|spoiler|poll|wrap|grid|code'
/** The tag that begins a block. Its argument may hold brackets within quotation marks. */
export const openingTag = new RegExp(String.raw`^\[(${names})((?:[= ](?:"[^"\n]{0,1000}"|[^\]"\n]){0,1000})?)\]`, 'i')
const closingTags = new RegExp(String.raw`\[\/(${names})\]`, 'gi')

const lineStart = /^([ >\t]*)((?:(?:[-*+]|\d{1,9}[.)]) +)?)/
const fence = /^(`{3,}(?=[^`]*$)|~{3,})(.*)$/

type Open = { name: string; line: number }

/**
 * Sets out the tags of blocks: one begins at the start of a line, and ends anywhere, as older versions had it. One that never ends is text,
 * as is what stands in code.
 */
export function setOut(raw: string): SetOut {
  const lines: string[] = []
  const ends = new Map<number, number>()
  let open: Open[] = []
  let fenced: string | null = null
  for (const line of raw.split('\n')) {
    const [begin = '', quoted = '', bullet = ''] = lineStart.exec(line) ?? []
    const next = quoted + ' '.repeat(bullet.length)
    const [, signs = '', info = ''] = fence.exec(line.slice(begin.length)) ?? []
    const isFence = signs !== '' && open.at(-1)?.name !== 'code'
    if (fenced !== null || isFence) {
      if (fenced === null) fenced = signs
      else if (signs.startsWith(fenced) && info.trim() === '') fenced = null
      lines.push(line)
      continue
    }
    let [prefix, rest] = [begin, line.slice(begin.length)]
    const add = (text: string) => {
      lines.push(prefix + text)
      prefix = next
    }
    for (let isFirst = true; isFirst || rest.trim() !== ''; isFirst = false) {
      const found = tagIn(rest, open)
      if (!found) {
        add(open.at(-1)?.name === 'code' ? rest : withCells(rest))
        break
      }
      if (found.before.trim() !== '') add(found.before)
      if (found.closes === null) open.push({ name: found.name, line: lines.length })
      else {
        ends.set(open[found.closes]?.line ?? -1, lines.length)
        open = open.slice(0, found.closes)
      }
      add(found.tag)
      rest = found.after
    }
  }
  return { text: lines.join('\n'), ends }
}

type Found = {
  before: string
  tag: string
  name: string
  after: string
  /** The place of the open one that it ends. */ closes: number | null
}

/** The next tag of a line: one that begins there, or ends an open one. */
function tagIn(rest: string, open: readonly Open[]): Found | null {
  const isCode = open.at(-1)?.name === 'code'
  const [tag, name] = isCode ? [] : (openingTag.exec(rest.trimStart()) ?? [])
  if (tag !== undefined && name !== undefined)
    return { before: '', tag, name: name.toLowerCase(), after: rest.trimStart().slice(tag.length), closes: null }
  const searched = isCode ? rest : rest.replaceAll(/(`+)[^`]*\1/g, (code) => ' '.repeat(code.length))
  for (const { 0: end, 1: its = '', index } of searched.matchAll(closingTags)) {
    const closes = open.findLastIndex((one) => one.name === its.toLowerCase())
    if (closes >= 0 && (!isCode || closes === open.length - 1))
      return { before: rest.slice(0, index), tag: end, name: its, after: rest.slice(index + end.length), closes }
  }
  return null
}

/** In a row of a table, the bars in the name of an upload divide no cells. */
function withCells(line: string): string {
  if (!line.startsWith('|')) return line
  return line.replaceAll(/(!?\[)([^[\]]*)(\]\(upload:\/\/)/g, (_, begin: string, label: string, end: string) => {
    return begin + label.replaceAll(/(?<!\\)\|/g, '\\|') + end
  })
}
