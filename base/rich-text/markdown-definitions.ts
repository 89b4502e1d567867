import type MarkdownIt from 'markdown-it'
import reference from 'markdown-it/lib/rules_block/reference.mjs'
import type StateBlock from 'markdown-it/lib/rules_block/state_block.mjs'
import type StateCore from 'markdown-it/lib/rules_core/state_core.mjs'
import image from 'markdown-it/lib/rules_inline/image.mjs'
import link from 'markdown-it/lib/rules_inline/link.mjs'
import type StateInline from 'markdown-it/lib/rules_inline/state_inline.mjs'
import type Token from 'markdown-it/lib/token.mjs'
import { linkTarget } from '#base/rich-text/safe-url.ts'

type Definition = { href: string; title: string }
type Definitions = Record<string, Definition>

type Env = { hides: boolean; taken: ReadonlySet<string> | null; used: Set<string>; references: Definitions; isSilent?: boolean }

const maxPasses = 3

/** The tokens of a text. Link definitions (`[tea]: https://example.com`) that no link uses, or without a valid target, are plain text. */
export function parseWithDefinitions(md: MarkdownIt, text: string, hides: boolean): Token[] {
  let taken: ReadonlySet<string> | null = null
  for (let turn = 1; ; turn++) {
    const env: Env = { hides, taken, used: new Set<string>(), references: newDefinitions() }
    const tokens = md.parse(text, env)
    if (Object.keys(env.references).every((label) => env.used.has(label))) return tokens
    // As plain text they may change the meaning of their surroundings, and so the set of used definitions.
    taken = turn < maxPasses ? env.used : new Set()
  }
}

export function addDefinitions(md: MarkdownIt): void {
  md.block.ruler.at('reference', definitionRule)
  md.inline.ruler.at('link', withoutTracking(link))
  md.inline.ruler.at('image', withoutTracking(image))
  md.core.ruler.after('block', 'lines', joinLines)
}

function newDefinitions(): Definitions {
  return Object.create(null) as Definitions
}

function definitionRule(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const { env } = state
  const known: Definitions = env.references
  env.references = newDefinitions()
  const isDefinition = reference(state, startLine, endLine, isSilent)
  const [[label, definition] = []] = Object.entries(env.references as Definitions)
  env.references = known
  if (!isDefinition || isSilent || label === undefined || !definition) return isDefinition
  const isTaken = env.taken === null || env.taken.has(label)
  const isNote = label.startsWith('^')
  if (isTaken && !isNote && !known[label] && linkTarget(definition.href)) known[label] = trackedDefinition(definition, label, env)
  else pushLines(state, startLine)
  return true
}

function trackedDefinition({ href, title }: Definition, label: string, env: Env): Definition {
  return {
    get href() {
      if (!env.isSilent) env.used.add(label)
      return href
    },
    title,
  }
}

type InlineRule = (state: StateInline, isSilent: boolean) => boolean

/** A rule in lookahead mode uses no definition. */
function withoutTracking(rule: InlineRule): InlineRule {
  return (state, isSilent) => {
    const { env } = state
    const was = env.isSilent
    env.isSilent = isSilent
    const found = rule(state, isSilent)
    env.isSilent = was
    return found
  }
}

function pushLines(state: StateBlock, from: number): void {
  const map: [number, number] = [from, state.line]
  state.push('paragraph_open', 'p', 1).map = map
  const token = state.push('inline', '', 0)
  Object.assign(token, {
    content: state.getLines(from, state.line, state.blkIndent, false).trim(),
    map,
    children: [],
    meta: { isLines: true },
  })
  state.push('paragraph_close', 'p', -1)
}

/** Lines that are no definition join the next line, like any text. */
function joinLines(state: StateCore): void {
  const joined: Token[] = []
  for (const token of state.tokens) {
    const [open, before, close] = joined.slice(-4, -1)
    const opened = joined.at(-1)
    const goesOn =
      token.type === 'inline' && opened?.type === 'paragraph_open' && close?.type === 'paragraph_close' && open?.type === 'paragraph_open'
    if (goesOn && before?.meta?.isLines && before.map?.[1] === token.map?.[0]) {
      joined.splice(-2)
      Object.assign(before, { content: `${before.content}\n${token.content}`, map: [before.map?.[0], token.map?.[1]], meta: token.meta })
    } else joined.push(token)
  }
  state.tokens = joined
}
