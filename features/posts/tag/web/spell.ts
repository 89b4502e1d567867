import { customPinyin, pinyin } from 'pinyin-pro'
import { speller } from '#base/chinese/speller.ts'

/** The pinyin of tags, with the dictionary: a part that is loaded when somebody types letters. */
export const spell = speller({ customPinyin, pinyin })
