import { expect, test } from 'vitest'
import type { MessageView } from '#message/contract.ts'
import { firstUnread } from '#message/web/first-unread.ts'
import { merged, renewed } from '#message/web/merge.ts'

const ids = (messages: readonly MessageView[]) => messages.map(({ id }) => Number(id))

test('a message read again is updated, and those before and after it stay', () => {
  const known = [7, 8, 9, 10, 11, 12].map((id) => one(id))
  expect(ids(merged(known, [one(9), one(11)]))).toEqual([7, 8, 9, 11, 12])
  expect(ids(merged(known, [one(100)]))).toEqual([7, 8, 9, 10, 11, 12, 100])
  expect(ids(merged(known, []))).toEqual(ids(known))
})

test('the first that is unread is counted from the end, among theirs alone', () => {
  const messages = [one(1), one(2), one(3, { isMine: true }), one(4)]
  expect(firstUnread(messages, 2)).toBe('2')
  expect(firstUnread(messages, 0)).toBe(null)
  expect(firstUnread(messages, 9)).toBe(null)
})

test('a message missing from the latest was deleted elsewhere, except older and newer ones', () => {
  const known = [7, 8, 9, 10, 11, 12].map((id) => one(id))
  const latest = (...those: number[]) => ({ messages: those.map((id) => one(id)), hasMore: true })
  expect(ids(renewed(known, latest(9, 11, 12, 13), '12'))).toEqual([7, 8, 9, 11, 12, 13])
  expect(ids(renewed(known, latest(9, 10), '12'))).toEqual([7, 8, 9, 10])
  expect(ids(renewed(known, latest(9, 10, 11), '11'))).toEqual([7, 8, 9, 10, 11, 12])
  expect(ids(renewed(known, { ...latest(11, 12), hasMore: false }, '12'))).toEqual([11, 12])
  expect(ids(renewed(known, { messages: [], hasMore: false }, '11'))).toEqual([12])
})

function one(id: number, fields: Partial<MessageView> = {}): MessageView {
  return {
    id: String(id),
    isMine: false,
    segments: [],
    sentAt: new Date(2026, 0, 1, 8, id).toISOString(),
    key: null,
    envelopeId: null,
    ...fields,
  }
}
