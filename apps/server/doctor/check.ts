import type pg from 'pg'
import type { Finding } from '#apps/server/doctor/finding.ts'
import type { Config } from '#base/server/config.ts'
import type { Database } from '#base/server/database/database.ts'
import type { HealthView } from '#maintenance/contract.ts'

/** Runs work on the one connection of the owner, after the work before it. */
export type AsOwner = <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>

/** The subjects of checks. One that is away is null, and the checks that need it are not made. */
export type Ground = {
  config: Config
  isEmbedded: boolean
  database: { pools: Database; asOwner: AsOwner } | null
  /** The public address, if this very forum answers there. */
  site: URL | null
  /** The *Health* page of the running forum. */
  health: HealthView | null
  /** Certificate authorities in place of the usual ones. */
  ca?: string | undefined
  /** Name servers in place of those of the system. */
  nameServers?: readonly string[] | undefined
}

export type Part = 'database' | 'site' | 'health'
type Needed<Needs extends Part> = Ground & { [Name in Needs]: NonNullable<Ground[Name]> }

/** One question to the ground. Checks know nothing of each other, and change nothing that lasts. */
export type Check<Needs extends Part = never> = {
  needs: readonly Needs[]
  /** The longest time in milliseconds. */
  limitMs?: number
  run(ground: Needed<Needs>, signal: AbortSignal): Finding | Finding[] | Promise<Finding | Finding[]>
}

export type AnyCheck = Omit<Check<Part>, 'run'> & { run(ground: never, signal: AbortSignal): ReturnType<Check['run']> }
