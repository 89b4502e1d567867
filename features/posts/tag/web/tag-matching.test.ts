import * as pinyinPro from 'pinyin-pro'
import { expect, test } from 'vitest'
import { speller } from '#base/chinese/speller.ts'
import { matchingTags, mayBeSound } from '#tag/web/tag-matching.ts'

const spell = speller(pinyinPro)
const option = (id: string, zh: string, en: string, above = '') => ({ id, name: zh, above, names: [zh, en, id] })
const tags = [
  option('brew', '泡茶', 'Brewing', '茶'),
  option('cafe', '茶馆', 'Teahouses', '茶'),
  option('db', 'PostgreSQL', 'PostgreSQL', 'Créer'),
]
const found = (typed: string) => matchingTags(tags, typed, spell).map(({ id }) => id)
const named = (name: string, typed: string) => matchingTags([option('it', name, 'It')], typed, spell).length === 1

test('a tag is found by its name in either language, its short name, the letters of its pinyin and its group', () => {
  expect(found('')).toEqual(['brew', 'cafe', 'db'])
  expect(found('茶')).toEqual(['cafe', 'brew'])
  expect(found('HOUSE')).toEqual(['cafe'])
  expect(found('pc')).toEqual(['brew'])
  expect(found('cg')).toEqual(['cafe'])
  expect(found('creer')).toEqual(['db'])
  expect(found('馆子')).toEqual([])
})

test.each([
  ['城市与旅行', 'csylx', 'csymx'],
  ['银行', 'yh', 'yx'],
  ['音乐', 'yinyue', 'yl'],
  ['厦门', 'xm', 'sm'],
  ['安溪铁观音', 'axtgy', 'axtgl'],
  ['普洱', 'pe', 'pr'],
  ['重庆', 'chongqing', 'zhongqing'],
  ['绿茶', 'lvcha', 'lycha'],
  ['绿茶', 'lucha', 'lc0'],
  ['战略', 'zhanlue', 'zhanlie'],
  ['战略', 'zhanlve', 'zl0'],
  ['音樂會', 'yinyuehui', 'yinlehui'],
  ['AI茶馆', 'chaguan', 'aicha'],
  ['西安', "xi'an", 'xn'],
])('%s is found by %s, as its words are read, and not by %s', (name, sound, other) => {
  expect(named(name, sound)).toBe(true)
  expect(named(name, other)).toBe(false)
})

test('the dictionary is wanted for letters alone, where a name has a sound', () => {
  expect(mayBeSound(tags, 'pc')).toBe(true)
  expect(mayBeSound(tags, '茶')).toBe(false)
  expect(mayBeSound([option('db', 'PostgreSQL', 'PostgreSQL')], 'pc')).toBe(false)
})
