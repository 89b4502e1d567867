import type { RenderedSegment } from '#base/web/html.tsx'

/** True for a post in another language than the reader's. Code and short texts have no language. */
export function isForeign(segments: readonly Pick<RenderedSegment, 'html'>[], reader: 'zh' | 'en'): boolean {
  const text = segments.map(({ html }) => html.replaceAll(code, ' ').replaceAll(/<[^>]*>|&\w+;|https?:\/\/\S+/g, ' ')).join(' ')
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  const kana = count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)
  const chinese = kana > 0 ? 0 : count(/\p{Script=Han}/gu) / charactersPerWord
  const latin = count(/\p{Script=Latin}+/gu)
  const others = count(/[^\P{L}\p{Script=Latin}\p{Script=Han}]+/gu)
  const all = chinese + latin + others
  if (all < fewestWords) return false
  return reader === 'zh' ? chinese < all * leastChinese : latin < all * leastLatin
}

const code = /<(pre|code)\b[\s\S]*?<\/\1>/g
const charactersPerWord = 1.6
const fewestWords = 1.5
// Chinese posts contain many English names, English posts few Chinese words.
const leastChinese = 0.3
const leastLatin = 0.6
