import { blocksIn, treesOf, type Tree } from '#base/rich-text/from-markdown.ts'
import { wrongWithParts, type Fault } from '#base/rich-text/hidden-part.ts'
import { longestMarkdown } from '#base/rich-text/markdown.ts'
import { tokensOf } from '#base/rich-text/markdown-parser.ts'

export type WrongLine = Fault & { /** The first line is 1. */ line: number }

/** The first malformed opening line of a hidden part, with its fault. Null if all are valid, or the text is too long to parse. */
export function wrongLineIn(text: string): WrongLine | null {
  return text.length > longestMarkdown ? null : wrongAmong(treesOf(tokensOf(text, true)))
}

function wrongAmong(trees: readonly Tree[]): WrongLine | null {
  for (const tree of trees) {
    const fault = faultOf(tree)
    if (fault) return { ...fault, line: (tree.token.map?.[0] ?? 0) + 1 }
    const within = wrongAmong(tree.inner)
    if (within) return within
  }
  return null
}

function faultOf(tree: Tree): Fault | null {
  if (tree.token.type === 'hidden') return { code: 'base.hiddenWithin' }
  return tree.token.type === 'hidden_open' ? wrongWithParts({ type: 'doc', content: blocksIn([tree], 1, {}) }) : null
}
