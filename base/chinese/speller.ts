import type { Spell } from '#base/chinese/pinyin-forms.ts'
import { simplify } from '#base/chinese/simplify.ts'

/** Spells by a dictionary of simplified words. It is large: the caller loads it when it is needed. */
export function speller({ customPinyin, pinyin }: Pick<typeof import('pinyin-pro'), 'customPinyin' | 'pinyin'>): Spell {
  // Corrections of the dictionary.
  customPinyin({ 还款: 'huán kuǎn', 还贷: 'huán dài', 还钱: 'huán qián', 还债: 'huán zhài', 还书: 'huán shū', 还价: 'huán jià' })
  return (characters) => pinyin(simplify(characters), { type: 'array', toneType: 'none', v: true }).map((one) => one.toLowerCase())
}
