import type { Spell } from '#base/chinese/pinyin-forms.ts'
import { speller } from '#base/chinese/speller.ts'
import { lazy } from '#base/lazy.ts'
import { lazyPackage } from '#base/server/lazy-package.ts'

/** The dictionary of pinyin. It is large, and few processes spell. */
export const pinyinDictionary = lazyPackage((load) => load('pinyin-pro') as typeof import('pinyin-pro'))

const dictionarySpeller = lazy(() => speller(pinyinDictionary()))

/** The pinyin of Chinese characters, a syllable for each. */
export const spell: Spell = (characters) => dictionarySpeller()(characters)
