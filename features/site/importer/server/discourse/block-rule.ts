import type MarkdownIt from 'markdown-it'
import type StateBlock from 'markdown-it/lib/rules_block/state_block.mjs'
import { openingTag, type SetOut } from '#importer/server/discourse/block-tags.ts'

/** What the parser knows of the text that it reads. */
export type BlockEnv = Pick<SetOut, 'ends'>

const maxLevel = 30
const maxIndent = 3

/** A block of Discourse's own: a quote with its author, details, a poll. It holds Markdown. */
export function blockRule(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const { ends } = state.env as BlockEnv
  const last = ends.get(startLine)
  if (last === undefined || last >= endLine || state.level > maxLevel || !isWithin(state, startLine, last)) return false
  const begin = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0)
  const [, name = '', argument = ''] = openingTag.exec(state.src.slice(begin, state.eMarks[startLine])) ?? []
  if (name === '' || isSilent) return name !== ''
  const tag = name.toLowerCase()
  if (tag === 'code') addCode(state, argument.slice(1), startLine, last)
  else addBlock(state, { tag, argument }, startLine, last)
  state.line = last + 1
  return true
}

/** Whether all its lines are of the list or quote that it begins in. */
function isWithin({ sCount, blkIndent, bMarks, tShift, eMarks }: StateBlock, first: number, last: number): boolean {
  if ((sCount[first] ?? 0) - blkIndent > maxIndent) return false
  for (let line = first + 1; line <= last; line++) {
    const isEmpty = (bMarks[line] ?? 0) + (tShift[line] ?? 0) >= (eMarks[line] ?? 0)
    if (!isEmpty && (sCount[line] ?? 0) < blkIndent) return false
  }
  return true
}

function addCode(state: StateBlock, language: string, first: number, last: number): void {
  const token = state.push('fence', 'code', 0)
  token.info = language.replaceAll('"', '')
  token.content = `${state.getLines(first + 1, last, state.blkIndent, false)}\n`
}

type Tag = { tag: string; argument: string }

function addBlock(state: StateBlock, meta: Tag, first: number, last: number): void {
  const { lineMax, parentType } = state
  state.lineMax = last
  state.parentType = 'blockquote'
  state.push('discourse_open', '', 1).meta = meta
  state.md.block.tokenize(state, first + 1, last)
  state.push('discourse_close', '', -1).meta = meta
  Object.assign(state, { lineMax, parentType })
}

export function addBlocks(md: MarkdownIt): void {
  md.block.ruler.before('fence', 'discourse', blockRule, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
}
