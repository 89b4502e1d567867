import { expect, test } from 'vitest'
import { messagesOf } from '#base/testing/messages.ts'
import { translatorFor } from '#base/web/words.tsx'
import type { CardView } from '#membership/contract.ts'
import { benefitsOf } from '#membership/web/benefits.ts'
import { cheapest } from '#membership/web/price.ts'
import { globalRights, tagRights } from '#role/all-rights.ts'
import { allWords } from '../../../../tools/repository.ts'

type BenefitView = CardView['gives'][number]

const wordsIn = (language: 'zh' | 'en') =>
  Object.fromEntries(allWords().map(({ name, ...texts }) => [name, texts[language] as Record<string, string>]))
const room = { zh: '里间', en: 'Back room' }
const everywhere = (...rights: string[]): BenefitView[] => rights.map((right) => ({ right, tag: null }))
const inRoom = (...rights: string[]): BenefitView[] => rights.map((right) => ({ right, tag: room }))

function linesOf(gives: readonly BenefitView[], language: 'zh' | 'en' = 'en'): string[] {
  const translate = translatorFor({ language, messages: messagesOf(wordsIn(language)) })
  return benefitsOf(gives, language, translate).map(({ title, detail }) =>
    (detail ? `${title}: ${detail}` : title).replaceAll(/[\u2066-\u2069]/g, ''),
  )
}

test('every right of a role is on its card, in both languages', () => {
  for (const right of [...tagRights, ...globalRights]) {
    const gives = tagRights.some((one) => one === right) ? inRoom(right) : everywhere(right)
    for (const language of ['zh', 'en'] as const) expect([right, linesOf(gives, language)]).toEqual([right, [expect.stringMatching(/./)]])
  }
})

test('rights of one kind are one line, in the order in which a member meets them', () => {
  expect(linesOf(everywhere('comment.unreviewed', 'reply.unreviewed', 'topic.unreviewed', 'hidden.points', 'hidden.password'))).toEqual([
    'Posts appear without review: topics, comments, and replies',
    'Hide parts of your topics: points and password',
  ])
  const all = ['topic', 'comment', 'reply', 'question', 'answer', 'answerReply'].map((kind) => `${kind}.unreviewed`)
  expect(linesOf(everywhere(...all), 'zh')).toEqual(['发布免审核'])
})

test('a tag that opens is one line, and does not repeat the rights held everywhere', () => {
  expect(linesOf([...inRoom('tag.view', 'topic.publish', 'comment.edit', 'topic.seeHidden'), ...everywhere('topic.seeHidden')])).toEqual([
    'Access to Back room: read and post',
    'See hidden parts without unlocking them',
  ])
  expect(linesOf(inRoom('tag.view'), 'zh')).toEqual(['进入“里间”: 浏览'])
  expect(linesOf(inRoom('topic.publish'))).toEqual(['Post in Back room: topics'])
})

test('a right that this version does not know is left out', () => {
  expect(linesOf(everywhere('constructor', 'topic.levitate', 'invite'))).toEqual(['Invite new members'])
})

test('a card costs from its least money, or from its fewest points without any; a sold-out option counts only if all are', () => {
  const option = (cash: string | null, points: string | null, left: number | null = null) => ({
    id: '1',
    name: room,
    price: { cash, points },
    listPrice: null,
    left,
    duration: 1,
    unit: 'month' as const,
  })
  const prices = [option('18.00', null), option('6.00', '50'), option(null, '30'), option(null, '5', 0)]
  expect(cheapest(prices)).toEqual([
    { cash: '6.00', points: '50' },
    { cash: null, points: '30' },
  ])
  expect(cheapest([option(null, '5', 0)])).toEqual([{ cash: null, points: '5' }])
})
