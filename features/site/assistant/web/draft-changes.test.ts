import { expect, test } from 'vitest'
import { changesOf, improvable, withChange } from '#assistant/web/draft-changes.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { fromMarkdown, toMarkdown } from '#base/rich-text/markdown.ts'

const picture = '![cup](file:f_1#8x6)'
const doc = (...blocks: string[]) => fromMarkdown(blocks.join('\n\n'))
const withAll = (draft: Doc, improved: Doc) => changesOf(draft, improved).reduce((now, change) => withChange(now, change) ?? now, draft)

test('a draft with all changes has the improved text, and keeps its pictures in place', () => {
  const draft = doc('it rain', picture, 'Bring a cup.', '- one\n- two')
  expect(toMarkdown(improvable(draft))).toBe(toMarkdown(doc('it rain', 'Bring a cup.', '- one\n- two')))
  const improved = doc('It rains.', 'Bring a cup.', 'New.', '- one\n- two')
  expect(toMarkdown(withAll(draft, improved))).toBe(toMarkdown(doc('It rains.', picture, 'Bring a cup.', 'New.', '- one\n- two')))
})

test('a part without an accepted change stays as its author wrote it', () => {
  const draft = doc('it rain', 'i stay')
  const [, second] = changesOf(draft, doc('It rains.', 'I stay.'))
  expect(second && toMarkdown(withChange(draft, second) ?? draft)).toBe(toMarkdown(doc('it rain', 'I stay.')))
})

test('a paragraph edited since is not overwritten, and others are changed wherever they are by now', () => {
  const draft = doc('it rain', 'i stay')
  const [first, second] = changesOf(draft, doc('It rains.', 'I stay.'))
  const since = doc('Hello.', 'it rain, and snows', 'i stay')
  expect(first && withChange(since, first)).toBeNull()
  expect(second && toMarkdown(withChange(since, second) ?? since)).toBe(toMarkdown(doc('Hello.', 'it rain, and snows', 'I stay.')))
})

test('all of a draft may be left out, and its first paragraph be new', () => {
  expect(withAll(doc('one'), { type: 'doc', content: [] }).content).toEqual([{ type: 'paragraph' }])
  expect(toMarkdown(withAll(doc('one'), doc('Hello.', 'one')))).toBe(toMarkdown(doc('Hello.', 'one')))
})
