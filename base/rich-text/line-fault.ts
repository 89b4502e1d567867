import { blocksIn, treesOf, type Tree } from '#base/rich-text/from-markdown.ts'
import { faultInParts, type Fault } from '#base/rich-text/hidden-part.ts'
import { maxMarkdownLength } from '#base/rich-text/markdown.ts'
import { parseTokens } from '#base/rich-text/markdown-parser.ts'

export type LineFault = Fault & { /** The first line is 1. */ line: number }

/** The first malformed opening line of a hidden part, with its fault. Null if all are valid, or the text is too long to parse. */
export function firstLineFault(text: string): LineFault | null {
  return text.length > maxMarkdownLength ? null : faultAmong(treesOf(parseTokens(text, true)))
}

function faultAmong(trees: readonly Tree[]): LineFault | null {
  for (const tree of trees) {
    const fault = faultOf(tree)
    if (fault) return { ...fault, line: (tree.token.map?.[0] ?? 0) + 1 }
    const within = faultAmong(tree.inner)
    if (within) return within
  }
  return null
}

function faultOf(tree: Tree): Fault | null {
  if (tree.token.type === 'hidden') return { code: 'base.hiddenWithin' }
  return tree.token.type === 'hidden_open' ? faultInParts({ type: 'doc', content: blocksIn([tree], 1, {}) }) : null
}
