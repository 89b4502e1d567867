import { createHash } from 'node:crypto'
import { isShort, secondsOf } from './durations.ts'
import { allTests, isExtended, isSampled } from './test-files.ts'
import type { Reach } from './test-reach.ts'

export type Selection = { change: Reach; seed: number }

// Of what only the whole program in a browser shows, the ways that everybody goes: in, writing, answering, paying, staff's way in, and the
// walk through the members' screens.
const journeys = /^e2e\/(arrival|register-and-post|in-a-thread|payment|staff|every-screen)\.spec/
const walks = /^e2e\/every-(staff-)?screen\.spec\.ts$/

// Of each feature the tests of its main file, and what attacks the whole.
const essential = new RegExp(
  [
    String.raw`^features/[^/]+/([^/]+)/server/\1\.test\.ts$`,
    String.raw`^apps/server/(attacks|canaries|envelope-secrecy|extreme-input|features|openapi|round-trips|sealing)\.test`,
    String.raw`^database/reader-columns\.test`,
    String.raw`^tools/`,
  ].join('|'),
)
const ofMoneyAndRights = /^features\/(money|accounts\/role|operations\/staff)\/.*server\//
// Longer files are in the gate only near a change, or by the seed.
const maxSeconds = [
  [essential, 15],
  [ofMoneyAndRights, 6],
] as const

// A second of a recorded file is 0.65 of a processor's; types and lint take 160.
export const gateSeconds = 820
const sinceSeconds = 210

const inGate = allTests.filter((path) => !isExtended(path))

/**
 * The gate: short files, the essential ones and those of money and rights that are not long, five journeys, the walk through the members'
 * screens, and the files near the change; then, for about eight minutes on two processors, others that the change reaches, and others still,
 * by the seed.
 */
export function gateTests({ change, seed }: Selection): string[] {
  const always = inGate.filter((path) => isAlways(path) || change.near.has(path))
  const reached = inGate.filter((path) => change.all.has(path))
  return fill(always, [...shuffled(reached, seed), ...shuffled(inGate, seed)], gateSeconds)
}

function isAlways(path: string): boolean {
  return isShort(path) || journeys.test(path) || maxSeconds.some(([paths, seconds]) => paths.test(path) && secondsOf(path) <= seconds)
}

/** What a newcomer meets first, and what looks at everything at once. */
const smoke = /^tools\/(?!declared-rows)|^e2e\/arrival\.spec|^apps\/server\/openapi\.test/

/** The tests near a change, the shorter ones first, and others that it reaches, for about two minutes. */
export function testsSince({ change, seed }: Selection): string[] {
  const near = inGate.filter((path) => change.near.has(path)).toSorted((one, other) => secondsOf(one) - secondsOf(other))
  const reached = inGate.filter((path) => change.all.has(path))
  return fill([...inGate.filter((path) => smoke.test(path)), ...near.slice(0, 1)], [...near, ...shuffled(reached, seed)], sinceSeconds)
}

/**
 * What the gate leaves out. `once` are the files it did not run; `whole` run with every round, with axe on every screen: the walks through
 * all screens, and of the extended and the sampled files those near what was submitted, and a third by the turn.
 */
export function outsideGate(selection: Selection, { submitted, turn }: { submitted: Reach; turn: number }) {
  const ran = new Set(gateTests(selection))
  const isTurn = (path: string) => numberOf(path) % 3 === turn % 3 || submitted.near.has(path)
  const whole = allTests.filter((path) => walks.test(path) || ((isExtended(path) || isSampled(path)) && isTurn(path)))
  return { once: inGate.filter((path) => !ran.has(path) && !whole.includes(path)), whole }
}

/** These files, and of the others the first ones that the time allows. */
function fill(always: readonly string[], others: readonly string[], seconds: number): string[] {
  const taken = new Set(always)
  let left = seconds - always.reduce((sum, path) => sum + secondsOf(path), 0)
  for (const path of others) {
    if (taken.has(path) || secondsOf(path) > left) continue
    taken.add(path)
    left -= secondsOf(path)
  }
  return [...taken]
}

function shuffled(paths: readonly string[], seed: number): string[] {
  return paths.toSorted((one, other) => numberOf(`${seed} ${one}`) - numberOf(`${seed} ${other}`))
}

function numberOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE()
}
