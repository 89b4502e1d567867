import type { AnyCheck, Ground, Part } from '#apps/server/doctor/check.ts'
import * as ofDatabase from '#apps/server/doctor/database-checks.ts'
import { reasonOf, unknown, type Finding } from '#apps/server/doctor/finding.ts'
import { groundOfForum, type OpenedGround } from '#apps/server/doctor/ground.ts'
import { disks, sealingKey } from '#apps/server/doctor/machine-checks.ts'
import { payments } from '#apps/server/doctor/payment-checks.ts'
import { forwarding, streaming, uploading } from '#apps/server/doctor/proxy-checks.ts'
import * as ofServices from '#apps/server/doctor/service-checks.ts'
import { encryption, firstPage, openMetrics, redirect } from '#apps/server/doctor/site-checks.ts'
import * as ofWork from '#apps/server/doctor/work-checks.ts'
import type { Config } from '#base/server/config.ts'
import type { Database } from '#base/server/database/database.ts'
import { DeadlineExceeded, withDeadline } from '#base/server/outbound/deadline.ts'

const checks: Readonly<Record<string, AnyCheck>> = {
  encryption,
  redirect,
  firstPage,
  openMetrics,
  forwarding,
  streaming,
  uploading,
  disks,
  sealingKey,
  payments,
  ...ofDatabase,
  ...ofServices,
  ...ofWork,
}

/** From inside the forum. */
export async function* examineForum(config: Config, pools: Database): AsyncGenerator<Finding> {
  const opened = await groundOfForum(config, pools)
  try {
    yield* examine(opened)
  } finally {
    await opened.close()
  }
}

const usualLimitMs = 20_000

/** Makes all checks at once, and gives each finding as it comes. */
export async function* examine({ ground, findings }: OpenedGround): AsyncGenerator<Finding> {
  yield* findings
  const all = Object.entries(checks)
  const isAway = (part: Part) => ground[part] === null
  for (const [part, word] of awayWords) {
    const { length: count } = all.filter(([, { needs }]) => needs.find(isAway) === part)
    if (count > 0) yield unknown(word, { count })
  }
  const running = new Map(all.filter(([, { needs }]) => !needs.some(isAway)).map(([name, check]) => [name, runCheck(name, check, ground)]))
  while (running.size > 0) {
    const { name, found } = await Promise.race(running.values())
    running.delete(name)
    yield* found
  }
}

const awayWords = [
  ['site', 'siteUnchecked'],
  ['database', 'databaseUnchecked'],
  ['health', 'forumUnchecked'],
] as const

async function runCheck(
  name: string,
  { run, limitMs = usualLimitMs }: AnyCheck,
  ground: Ground,
): Promise<{ name: string; found: Finding[] }> {
  try {
    return { name, found: [await withDeadline(limitMs, async (signal) => run(ground as never, signal))].flat() }
  } catch (error) {
    const why =
      error instanceof DeadlineExceeded
        ? unknown('checkLate', { check: name })
        : unknown('checkFailed', { check: name, reason: reasonOf(error) })
    return { name, found: [why] }
  }
}
