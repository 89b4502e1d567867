import { createHash } from 'node:crypto'
import { isShort, secondsOf } from './durations.ts'
import { allTests, isExtended, isSampled } from './test-files.ts'
import type { Reach } from './test-reach.ts'

export type Selection = { change: Reach; seed: number }

// What only the whole program in a browser shows. The sentences of the others are proved by tests of the server and of components too.
const first = 'arrival|register-and-post|call-contract|identity|first-load|member-area'
const then = 'drafts|in-a-thread|question|search|message|red-envelope|payment|top-up-for-a-card|staff|review'
const journeys = new RegExp(`^e2e/(${first}|${then})\\.spec`)
const walks = /^e2e\/every-(staff-)?screen\.spec\.ts$/

// Of each feature the tests of its main file; money, rights, secrets and attacks whole.
const essential = new RegExp(
  [
    String.raw`^features/[^/]+/([^/]+)/server/\1\.test\.ts$`,
    String.raw`^features/(money|accounts/role|operations/staff)/.*server/`,
    String.raw`^apps/server/(attacks|canaries|envelope-secrecy|extreme-input|features|openapi|round-trips|sealing)\.test`,
    String.raw`^database/(plans|migrate|reader-columns)\.test`,
    // Each statement of the server against the database takes as long as thirty other files.
    String.raw`^tools/(?!declared-rows)`,
  ].join('|'),
)

const gateSeconds = 1_000
const sinceSeconds = 180

const inGate = allTests.filter((path) => !isExtended(path))

/**
 * The gate: short files, the essential ones, and those near the change; then, for about eight minutes on two processors, others that the
 * change reaches, and others still, by the seed.
 */
export function gateTests({ change, seed }: Selection): string[] {
  const always = inGate.filter(
    (path) => isShort(path) || essential.test(path) || journeys.test(path) || walks.test(path) || change.near.has(path),
  )
  const reached = inGate.filter((path) => change.all.has(path))
  return fill(always, [...shuffled(reached, seed), ...shuffled(inGate, seed)], gateSeconds)
}

/** What a newcomer meets first, and what looks at everything at once. */
const smoke = /^tools\/(?!declared-rows)|^e2e\/arrival\.spec|^apps\/server\/openapi\.test|^database\/(plans|migrate)\.test/

/** The tests near a change, and others that it reaches, for about two minutes. */
export function testsOf({ change, seed }: Selection): string[] {
  const always = inGate.filter((path) => smoke.test(path) || change.near.has(path))
  const reached = inGate.filter((path) => change.all.has(path))
  return fill(always, shuffled(reached, seed), sinceSeconds)
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
