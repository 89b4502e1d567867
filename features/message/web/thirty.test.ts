import { expect, test } from 'vitest'
import type { MessageView } from '#message/contract.ts'
import { firstUnread } from '#message/web/first-unread.ts'
import { merged, placed } from '#message/web/thirty.ts'

const ids = (messages: readonly MessageView[]) => messages.map(({ id }) => Number(id))

test('what is read anew stands as it is now, and what lies before and after it stays', () => {
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

test('what was written in one goes together, and each day begins anew', () => {
  const at = (minutes: number) => ({ sentAt: new Date(2026, 0, 1, 23, minutes).toISOString() })
  const all = [one(1, at(50)), one(2, at(52)), one(3, { ...at(53), isMine: true }), one(4, { ...at(59), isMine: true }), one(5, at(61))]
  expect(placed(all).map(({ isOfNewDay, isFirst, isLast }) => [isOfNewDay, isFirst, isLast])).toEqual([
    [true, true, false],
    [false, false, true],
    [false, true, true],
    [false, true, true],
    [true, true, true],
  ])
})

function one(id: number, given: Partial<MessageView> = {}): MessageView {
  return { id: String(id), isMine: false, segments: [], sentAt: new Date(2026, 0, 1, 8, id).toISOString(), key: null, ...given }
}
