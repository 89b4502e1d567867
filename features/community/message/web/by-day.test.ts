import { expect, test } from 'vitest'
import { grouped } from '#message/web/by-day.ts'

test('messages of one author within minutes are grouped, and each day begins anew', () => {
  const at = (minutes: number) => ({ sentAt: new Date(2026, 0, 1, 23, minutes).toISOString() })
  const all = [one(1, at(50)), one(2, at(52)), one(3, { ...at(53), isMine: true }), one(4, { ...at(59), isMine: true }), one(5, at(61))]
  expect(grouped(all).map(({ isOfNewDay, isFirst, isLast }) => [isOfNewDay, isFirst, isLast])).toEqual([
    [true, true, false],
    [false, false, true],
    [false, true, true],
    [false, true, true],
    [true, true, true],
  ])
})

function one(id: number, fields: { sentAt: string; isMine?: boolean }) {
  return { id, isMine: false, ...fields }
}
