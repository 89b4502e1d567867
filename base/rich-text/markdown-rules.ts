import type StateCore from 'markdown-it/lib/rules_core/state_core.mjs'
import type StateInline from 'markdown-it/lib/rules_inline/state_inline.mjs'

const mention = /@\[((?:\\.|[^[\]\\\n]){1,400})\]\(member:([1-9]\d{0,17})\)/suy

/** `@[label](member:12)` */
export function mentionRule(state: StateInline, isSilent: boolean): boolean {
  if (state.src[state.pos] !== '@') return false
  const found = at(mention, state)
  if (!found) return false
  if (!isSilent) {
    const [, label = '', id = ''] = found
    state.push('mention', '', 0).meta = { id, label: state.md.utils.unescapeAll(label) }
  }
  return take(state, found[0].length)
}

const lineBreak = /<br ?\/?>/iy

/** `<br>` is a line break where no line may end, such as in a table. All other HTML is text. */
export function breakRule(state: StateInline, isSilent: boolean): boolean {
  const found = state.src[state.pos] === '<' && at(lineBreak, state)
  if (!found) return false
  if (!isSilent) state.push('hardbreak', 'br', 0)
  return take(state, found[0].length)
}

const spanEnd = /\{((?:bold|italic|strike)(?: (?:bold|italic|strike)){0,2})\}/y

/** `[text]{bold italic}` marks text that asterisks cannot, such as part of a word that begins with a space. */
export function spanRule(state: StateInline, isSilent: boolean): boolean {
  const { pos, posMax, src } = state
  if (src[pos] !== '[' || pos > lastSpan(state)) return false
  const labelEnd = state.md.helpers.parseLinkLabel(state, pos)
  spanEnd.lastIndex = labelEnd + 1
  const found = labelEnd < 0 ? null : spanEnd.exec(src)
  if (!found || spanEnd.lastIndex > posMax) return false
  if (!isSilent) {
    const names = (found[1] ?? '').split(' ')
    state.pos = pos + 1
    state.posMax = labelEnd
    for (const name of names) state.push(`${name}_open`, '', 1)
    state.md.inline.tokenize(state)
    for (const name of names.toReversed()) state.push(`${name}_close`, '', -1)
    state.posMax = posMax
  }
  state.pos = labelEnd + 1 + found[0].length
  return true
}

const lastSpans = new WeakMap<StateInline, number>()

// Searched once, otherwise a text of nothing but brackets would take quadratic time.
function lastSpan(state: StateInline): number {
  const place = lastSpans.get(state) ?? state.src.lastIndexOf(']{')
  lastSpans.set(state, place)
  return place
}

const checkbox = /^\[([ xX])\](?:[ \t\n]+|$)/

/** A list item that begins with `[ ]` or `[x]` is a task. */
export function taskRule({ tokens }: StateCore): void {
  tokens.forEach((item, at) => {
    if (item.type !== 'list_item_open' || tokens[at + 1]?.type !== 'paragraph_open') return
    const token = tokens[at + 2]
    const found = token?.type === 'inline' && checkbox.exec(token.content)
    if (!found) return
    item.meta = { checked: found[1] !== ' ' }
    token.content = token.content.slice(found[0].length)
  })
}

function at(pattern: RegExp, { pos, posMax, src }: StateInline): RegExpExecArray | null {
  pattern.lastIndex = pos
  const found = pattern.exec(src)
  return found && pattern.lastIndex <= posMax ? found : null
}

function take(state: StateInline, length: number): true {
  state.pos += length
  return true
}
