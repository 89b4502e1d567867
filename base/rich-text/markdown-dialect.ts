import MarkdownIt from 'markdown-it'
import type StateInline from 'markdown-it/lib/rules_inline/state_inline.mjs'
import { safeUrl } from '#base/rich-text/safe-url.ts'

type Dialect = InstanceType<typeof MarkdownIt>

/** CommonMark with GFM tables and strike-through, and our mentions and pictures. HTML is text but for a line break and the empty comment. */
export const wholeMarkdown = dialect()
/** Where paragraphs are all there is. */
export const plainMarkdown = dialect(['paragraph'])

function dialect(blocks?: string[]): Dialect {
  const markdown: Dialect = new MarkdownIt({ html: false, linkify: false, typographer: false })
  // An address is kept as it was written; one that leads nowhere safe leaves its link as plain characters.
  markdown.normalizeLink = (url) => url
  markdown.normalizeLinkText = (url) => url
  markdown.validateLink = (url) => safeUrl(url) !== null
  // What defines a reference would be gone from the text.
  markdown.block.ruler.disable('reference')
  if (blocks) markdown.block.ruler.enableOnly(blocks)
  markdown.inline.State = withHan(markdown.inline.State)
  markdown.inline.ruler.before('image', 'picture', picture)
  markdown.inline.ruler.before('link', 'mention', mention)
  markdown.inline.ruler.before('autolink', 'break', lineBreak)
  return markdown
}

// ](/file/f_7kQ =800x600): the size may be left out.
const pictureAt = /!\[((?:\\[!-/:-@[-`{-~]|[^\\[\]\n])*)\]\(\/file\/([\w-]{1,64})(?: =(\d{1,5})x(\d{1,5}))?\)/y
const mentionAt = /@\[((?:\\[!-/:-@[-`{-~]|[^\\[\]\n])+)\]\(member:([1-9]\d{0,17})\)/y
const lineBreakAt = /<br *\/?>|<!-- -->/iy

function picture(state: StateInline, silent: boolean): boolean {
  const [whole, alt = '', file, width = '800', height = '600'] = matchAt(pictureAt, state) ?? []
  if (!whole || Number(width) < 1 || Number(height) < 1 || Number(width) > 20_000 || Number(height) > 20_000 || unescaped(alt).length > 300)
    return false
  return push(state, silent, whole, 'picture', { file, alt: unescaped(alt), width: Number(width), height: Number(height) })
}

function mention(state: StateInline, silent: boolean): boolean {
  const [whole, label = '', id] = matchAt(mentionAt, state) ?? []
  if (!whole || unescaped(label).length > 50 || !unescaped(label).trim()) return false
  return push(state, silent, whole, 'mention', { id, label: unescaped(label) })
}

/** `<br>` where a new line cannot stand, and `<!-- -->`, which keeps apart two signs that would read as one. */
function lineBreak(state: StateInline, silent: boolean): boolean {
  const [whole] = matchAt(lineBreakAt, state) ?? []
  return whole ? push(state, silent, whole, whole === '<!-- -->' ? 'apart' : 'hardbreak', null) : false
}

function matchAt(pattern: RegExp, { src, pos, posMax }: StateInline): RegExpExecArray | null {
  pattern.lastIndex = pos
  const match = pattern.exec(src)
  return match && pattern.lastIndex <= posMax ? match : null
}

function push(state: StateInline, silent: boolean, whole: string, type: string, meta: Record<string, unknown> | null): true {
  if (!silent) state.push(type, '', 0).meta = meta
  state.pos += whole.length
  return true
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
}

/** In Chinese no space stands around what is stressed, so 这是**“重点”**吧 must be stressed too, though quotation marks touch the stars. */
function withHan(State: typeof StateInline): typeof StateInline {
  return class extends State {
    override scanDelims(start: number, canSplitWord: boolean) {
      const found = super.scanDelims(start, canSplitWord)
      if (!canSplitWord) return found
      const before = this.src.slice(Math.max(0, start - 2), start)
      const after = this.src.slice(start + found.length, Math.min(start + found.length + 2, this.posMax))
      return {
        ...found,
        can_open: found.can_open || (/\p{scx=Han}$/u.test(before) && /^\S/.test(after)),
        can_close: found.can_close || (/^\p{scx=Han}/u.test(after) && /\S$/.test(before)),
      }
    }
  }
}
