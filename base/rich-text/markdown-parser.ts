import MarkdownIt, { type Options } from 'markdown-it'
import type StateInline from 'markdown-it/lib/rules_inline/state_inline.mjs'
import { hiddenRule } from '#base/rich-text/hidden-line.ts'
import type Token from 'markdown-it/lib/token.mjs'
import { addressRule } from '#base/rich-text/markdown-address.ts'
import { limitParser, maxNesting } from '#base/rich-text/markdown-bounds.ts'
import { addDefinitions, parseWithDefinitions } from '#base/rich-text/markdown-definitions.ts'
import { breakRule, mentionRule, spanRule, taskRule } from '#base/rich-text/markdown-rules.ts'

const base = new MarkdownIt('default', { html: false, linkify: false, typographer: false, maxNesting } as Options)

/** The tokens of a text, which drop nothing of it. */
export function parseTokens(text: string, hides: boolean): Token[] {
  return parseWithDefinitions(parser, text, hides)
}

/** Parses CommonMark with tables and strikethrough, our mentions and spans, and no HTML. Addresses are checked by `safeUrl` afterwards. */
const parser = base.use((md) => {
  md.validateLink = () => true
  md.normalizeLink = (address) => address
  md.normalizeLinkText = (text) => text
  limitParser(md)
  addDefinitions(md)
  md.block.ruler.before('fence', 'hidden', hiddenRule, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
  md.inline.State = chineseState(md)
  md.inline.ruler.after('text', 'address', addressRule)
  md.inline.ruler.before('link', 'span', spanRule)
  md.inline.ruler.before('link', 'mention', mentionRule)
  md.inline.ruler.before('autolink', 'break', breakRule)
  // Escaped text stays separate, because only unescaped text may become a link or a mention.
  md.core.ruler.disable('text_join')
  md.core.ruler.after('block', 'task', taskRule)
})

const maxBracketDepth = 12

const cjk = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u2018-\u201d\u2026\u3000-\u303f\ufe30-\ufe4f\uff00-\uffef]/u
const punctuation = /[\p{P}\p{S}]/u

// Chinese has no spaces between words, so `**注意：**请看` must be bold although a letter follows the colon and the asterisks.
function chineseState(md: MarkdownIt): typeof StateInline {
  const Plain = md.inline.State
  class ChineseState extends Plain {
    // Each bracket is parsed once for every level of brackets, of which fewer are allowed than of blocks.
    override level = maxNesting - maxBracketDepth

    override scanDelims(start: number, canSplitWord: boolean): ReturnType<StateInline['scanDelims']> {
      const { length } = super.scanDelims(start, canSplitWord)
      const before = sideOf(this.src.slice(Math.max(0, start - 2), start).match(/.$/su)?.[0])
      const after = sideOf(this.src.slice(start + length, Math.min(start + length + 2, this.posMax)).match(/^./su)?.[0])
      const left = !after.isSpace && (!after.isPunctuation || before.isSpace || before.isPunctuation || before.isCjk)
      const right = !before.isSpace && (!before.isPunctuation || after.isSpace || after.isPunctuation || after.isCjk)
      return {
        can_open: left && (canSplitWord || !right || before.isAnyPunctuation),
        can_close: right && (canSplitWord || !left || after.isAnyPunctuation),
        length,
      }
    }
  }
  return ChineseState
}

function sideOf(character = ' ') {
  const isCjk = cjk.test(character)
  const isAnyPunctuation = punctuation.test(character)
  return { isSpace: /\s/.test(character), isCjk, isAnyPunctuation, isPunctuation: isAnyPunctuation && !isCjk }
}
