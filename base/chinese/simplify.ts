import hongKong from 'opencc-js/dict/HKVariantsRev'
import taiwan from 'opencc-js/dict/TWVariantsRev'
import taiwanPhrases from 'opencc-js/dict/TWVariantsRevPhrases'
import characters from 'opencc-js/dict/TSCharacters'
import phrases from 'opencc-js/dict/TSPhrases'
import { ConverterFactory } from 'opencc-js/core'
import { simplified } from '#base/chinese/variants.ts'
import { lazy } from '#base/lazy.ts'

const convert = lazy(() => ConverterFactory([taiwanPhrases, taiwan, hongKong], [phrases, characters]))

// Simplified text has these too, with a meaning and a sound of their own: 乾隆, 显著, 狼藉.
const inBoth = new Set('乾著藉瞭徵覆於')

/** A traditional text as it is written in simplified characters, word for word, with as many characters. Simplified text stays as it is. */
export function simplify(text: string): string {
  const isTraditional = Array.from(text).some((one) => simplified.has(one) && !inBoth.has(one))
  return isTraditional ? convert()(text) : text
}
