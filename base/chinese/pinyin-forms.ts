/** The pinyin of Chinese characters, a syllable for each, without tones and with v for ü. */
export type Spell = (characters: string) => readonly string[]

/** Runs of Chinese characters. */
export const han = /\p{Script=Han}+/gu
const longestInitials = 8
const longestPinyin = 20

/** By what a text can be found while typing: from each of its Chinese characters on, the pinyin and its initials. */
export function pinyinForms(text: string, spell: Spell): string[][] {
  return [...text.normalize('NFKC').matchAll(han)].flatMap(([run]) => {
    const syllables = spell(run)
    return syllables.map((_, from) => {
      const rest = syllables.slice(from)
      const pinyin = rest.join('').slice(0, longestPinyin)
      return [...new Set(waysToType.map((typed) => typed(pinyin))), initialsOf(rest).slice(0, longestInitials)]
    })
  })
}

/** ü is typed as v, as u, or as u before e alone: lv, lu, lve, lue. */
export const waysToType: readonly ((pinyin: string) => string)[] = [
  (pinyin) => pinyin,
  (pinyin) => pinyin.replaceAll('ve', 'ue'),
  (pinyin) => pinyin.replaceAll('v', 'u'),
]

export function initialsOf(syllables: readonly string[]): string {
  return syllables.map((syllable) => syllable.charAt(0)).join('')
}
