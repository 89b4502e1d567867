import { expect, test } from 'vitest'
import type { WeightedFlow } from '#collusion/server/flows.ts'
import { patternsOf, thresholds } from '#collusion/server/patterns.ts'

const aFlow = (from: string, to: string, more: Partial<WeightedFlow> = {}): WeightedFlow => ({
  from,
  to,
  measure: 'points',
  amount: '30',
  times: thresholds.payments,
  ofGiven: 100,
  ofReceived: 100,
  firstAt: '2026-01-01T00:00:00Z',
  lastAt: '2026-01-02T00:00:00Z',
  transactionIds: [],
  givenTimes: thresholds.payments,
  takers: 1,
  ...more,
})

const both = (more: Partial<WeightedFlow>) => [aFlow('1', '2', more), aFlow('2', '1', more)]

test.each([
  ['of the giver', 'ofGiven'],
  ['of the receiver', 'ofReceived'],
] as const)('a ring begins at its threshold %s', (_, share) => {
  expect(patternsOf(['1', '2'], both({ [share]: thresholds[share] }), false)).toEqual([{ measure: 'points', shape: 'ring' }])
  expect(patternsOf(['1', '2'], both({ [share]: thresholds[share] - 1 }), false)).toEqual([])
})

test('a ring of accounts that are not linked needs several payments, one of linked accounts needs one', () => {
  const few = both({ times: thresholds.payments - 1 })
  expect(patternsOf(['1', '2'], few, false)).toEqual([])
  expect(patternsOf(['1', '2'], few, true)).toEqual([{ measure: 'points', shape: 'ring' }])
})

test.each(['ofGiven', 'ofReceived'] as const)('a flow in one direction between linked accounts begins at its threshold of %s', (share) => {
  const oneWay = { measure: 'points', shape: 'oneWay' }
  expect(patternsOf(['1', '2'], [aFlow('1', '2', { [share]: thresholds.mostly })], true)).toEqual([oneWay])
  expect(patternsOf(['1', '2'], [aFlow('1', '2', { [share]: thresholds.mostly - 1 })], true)).toEqual([])
  expect(patternsOf(['1', '2'], [aFlow('1', '2', { [share]: thresholds.mostly })], false)).toEqual([])
})
