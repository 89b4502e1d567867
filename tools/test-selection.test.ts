import { expect, test } from 'vitest'
import { secondsOf } from './durations.ts'
import { allTests, isExtended } from './test-files.ts'
import { reachOf } from './test-reach.ts'
import { gateSeconds, gateTests, outsideGate, testsSince } from './test-selection.ts'

const nothing = reachOf([])
const none = { change: nothing, seed: 1 }
const restOf = (turn: number) => outsideGate(none, { submitted: nothing, turn })

test('the gate and the rest are all tests but the extended ones of other turns, which come within three', () => {
  const gate = gateTests(none)
  const turns = [0, 1, 2].map(restOf)
  for (const { once, whole } of turns)
    expect(new Set([...gate, ...once, ...whole].filter((path) => !isExtended(path)))).toEqual(
      new Set(allTests.filter((path) => !isExtended(path))),
    )
  expect(new Set([...gate, ...turns.flatMap(({ once, whole }) => [...once, ...whole])])).toEqual(new Set(allTests))
})

test('the gate has the tests of money, rights and attacks, and those near a change', () => {
  const gate = gateTests({ ...none, change: reachOf(['features/community/follow/server/follow.ts']) })
  expect(gate).toContain('features/posts/red-envelope/server/red-envelope.test.ts')
  expect(gate).toContain('features/accounts/staff/server/staff.test.ts')
  expect(gate).toContain('apps/server/attacks.test.ts')
  expect(gate).toContain('features/community/follow/server/following.test.ts')
  expect(gate.some(isExtended)).toBe(false)
})

test('the gate visits the members’ screens, and the rest visits all screens with axe', () => {
  expect(gateTests(none)).toContain('e2e/every-screen.spec.ts')
  for (const walk of ['e2e/every-screen.spec.ts', 'e2e/every-staff-screen.spec.ts']) expect(restOf(1).whole).toContain(walk)
})

test('the seed chooses further tests of the gate, in the time that is left', () => {
  const gates = [1, 2, 3].map((seed) => gateTests({ ...none, seed }))
  expect(new Set(gates.map((gate) => gate.toSorted().join(' '))).size).toBe(3)
  for (const gate of gates) expect(gate.reduce((sum, path) => sum + secondsOf(path), 0)).toBeLessThanOrEqual(gateSeconds)
})

test('a change runs the tests near it, and a few that look at everything', () => {
  const tests = testsSince({ ...none, change: reachOf(['features/threads/comment/server/list.ts']) })
  expect(tests).toContain('features/threads/comment/server/comment.test.ts')
  expect(tests).toContain('apps/server/openapi.test.ts')
  expect(tests.length).toBeLessThan(gateTests(none).length)
})
