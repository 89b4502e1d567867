import { expect, test } from 'vitest'
import { aboutIn, aboutKinds, actionGroups, actionIn, groupIn, kindIn } from '#audit/admin/action-words.ts'
import { changesBetween } from '#audit/admin/changes.ts'
import { fieldIn, valueIn } from '#audit/admin/field-words.ts'
import { auditActions } from '#audit/actions.ts'
import type { Translate } from '#base/web/words.tsx'
import { allWords, type Words } from '../../../../tools/repository.ts'

const everything = allWords()

function sayIn(language: 'en' | 'zh'): Translate {
  return (code, values) => {
    const [catalogue, key = ''] = code.split('.')
    const text = everything.find(({ name }: Words) => name === catalogue)?.[language][key]
    if (typeof text !== 'string') throw new Error(`No words for ${code}`)
    return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values?.[name]))
  }
}

const say = sayIn('zh')
const translate: Translate = (key, values) => say(`auditAdmin.${key}`, values)

test.each(['en', 'zh'] as const)('every action, group and kind of subject has a text in %s', (language) => {
  const texts = [
    ...auditActions.map((action) => actionIn(sayIn(language), action)),
    ...[...actionGroups.keys()].map((group) => groupIn(sayIn(language), group)),
    ...aboutKinds.map((kind) => kindIn(sayIn(language), kind)),
  ]
  expect(texts.length).toBeGreaterThan(250)
  expect(texts).not.toContain('')
})

test('an undone action says so, and an unknown one is shown by its code', () => {
  expect(actionIn(say, 'topic.remove')).toBe('删除话题或问题')
  expect(actionIn(say, 'topic.remove.undo')).toBe('撤销“删除话题或问题”')
  expect(actionIn(say, 'spell.cast')).toBe('spell.cast')
})

test('a picture is named by the end of its id', () => {
  expect([fieldIn(translate, 'picture'), valueIn(translate, 'picture', 'f_0123456789012345678x7Qa')]).toEqual(['图片', '图片 …x7Qa'])
})

test('the subject of an action is named, with a link to its screen', () => {
  expect(aboutIn(say, 'topic 42')).toEqual({ text: '话题或问题 42', to: '/admin/topic/view?topicId=42' })
  expect(aboutIn(say, 'setting title', '站点名称').text).toBe('设置 站点名称')
  expect(aboutIn(say, 'staffSession 7')).toEqual({ text: '登录 7', to: null })
  expect(aboutIn(say, 'spell 7')).toEqual({ text: 'spell 7', to: null })
})

test('a change shows only the differing values, and a list its additions and removals', () => {
  const saying = (key: string, value: unknown) => `${key} ${String(value)}`
  const before = {
    zh: '掌柜',
    version: 3,
    parent_id: null,
    rights: [
      { right: 'tag.view', tagId: null },
      { right: 'reply.edit', tagId: '9' },
    ],
  }
  const after = {
    zh: '掌柜',
    parentId: '4',
    rights: [
      { right: 'tag.view', tagId: null },
      { right: 'topic.edit', tagId: '9' },
    ],
  }
  expect(changesBetween(before, after, saying)).toEqual([
    { key: 'parentId', removed: [], added: ['parentId 4'] },
    { key: 'rights', removed: ['right reply.edit · tagId 9'], added: ['right topic.edit · tagId 9'] },
  ])
  expect(changesBetween(['a', 'b'], ['b', 'c'], (_, value) => String(value))).toEqual([{ key: '', removed: ['a'], added: ['c'] }])
  expect(changesBetween(null, { endsAt: null }, saying)).toEqual([])
})
