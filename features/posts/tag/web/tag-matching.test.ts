import { expect, test } from 'vitest'
import { matchingTags, initialsOf } from '#tag/web/tag-matching.ts'

const option = (id: string, zh: string, en: string, above = '') => ({ id, name: zh, above, names: [zh, en, id] })
const tags = [
  option('brew', '泡茶', 'Brewing', '茶'),
  option('cafe', '茶馆', 'Teahouses', '茶'),
  option('db', 'PostgreSQL', 'PostgreSQL', 'Créer'),
]
const found = (typed: string) => matchingTags(tags, typed).map(({ id }) => id)

test('a tag is found by its name in either language, its short name, the letters of its pinyin and its group', () => {
  expect(found('')).toEqual(['brew', 'cafe', 'db'])
  expect(found('茶')).toEqual(['cafe', 'brew'])
  expect(found('HOUSE')).toEqual(['cafe'])
  expect(found('pc')).toEqual(['brew'])
  expect(found('cg')).toEqual(['cafe'])
  expect(found('creer')).toEqual(['db'])
  expect(found('馆子')).toEqual([])
})

test('pinyin letters are those of a dictionary, and of Chinese names alone', () => {
  expect(initialsOf('紫砂壶')).toBe('zsh')
  expect(initialsOf('安溪铁观音')).toBe('axtgy')
  expect(initialsOf('普洱')).toBe('pe')
  expect(initialsOf('AI茶')).toBe('')
})
