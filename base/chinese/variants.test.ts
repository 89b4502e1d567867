import { expect, test } from 'vitest'
import { sameCharacter, simplified, withoutVariants } from '#base/chinese/variants.ts'

test.each([
  ['化妆品', '化妝品', '化粧品'],
  ['卫生', '衛生', '衞生'],
  ['看着', '看著'],
  ['显著', '顯著', '显着'],
  ['里面', '裏面', '裡面'],
  ['柜台', '櫃臺', '櫃枱'],
  ['粽子', '糉子', '糭子'],
  ['叙述', '敘述', '敍述'],
  ['屋檐', '屋簷'],
  ['只有', '衹有'],
  ['才能', '纔能'],
  ['什么', '什麼', '什麽'],
])('%s is one word in all its forms', (word, ...others) => {
  for (const other of others) expect(withoutVariants(other)).toBe(withoutVariants(word))
})

test('a form that replaces others replaces itself', () => {
  for (const to of sameCharacter.values()) expect(sameCharacter.get(to) ?? to).toBe(to)
})

test('simplified text keeps its usual characters, but for those with a commoner twin', () => {
  const changed = [...new Set(simplified.values())].filter((one) => withoutVariants(one) !== one && !simplified.has(one))
  expect(changed.toSorted()).toEqual(['颚', '鲶'].toSorted())
})
