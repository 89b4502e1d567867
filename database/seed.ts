import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import * as staff from '#staff/server/staff.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Config } from '#base/server/config.ts'
import type { ReportProgress } from '#base/server/progress.ts'
import { anyOf, type Database, type Db, transact } from '#base/server/database/database.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

const seedLock = 7_205_115
const staffLock = 7_205_118

/**
 * Fills a new forum with the sample community, if configured. All of it is one transaction, so an interrupted start leaves nothing and the
 * next one does it.
 */
export async function seedNewForum(
  { longRunning: database }: Database,
  config: Config,
  report: ReportProgress = () => undefined,
): Promise<void> {
  if (!config.sample || !(await isNew(database.app))) return
  const seeds = await prepareSeeds(config, report)
  while (!(await transact(database, (tx) => plantLocked(tx, seeds)))) await setTimeout(500)
  clearCaches(database)
}

/** Creates the first staff account of a forum and returns its password, to be shown once; null if there is one already. */
export async function addFirstStaff({ longRunning: database }: Database): Promise<{ account: string; password: string } | null> {
  if (await staff.exists(database.app)) return null
  return transact(database, async (tx) => {
    await sql`select pg_advisory_xact_lock(${staffLock})`.execute(tx)
    // Another server may have been first.
    return (await staff.exists(tx)) ? null : staff.add(tx, await freeName(tx))
  })
}

type Seeds = { plant: (tx: Db) => Promise<void> }

/** False while another server is seeding, which takes longer than the lock timeout. */
async function plantLocked(tx: Db, seeds: Seeds): Promise<boolean> {
  const { rows } = await sql<{ isOurs: boolean }>`select pg_try_advisory_xact_lock(${seedLock}) as "isOurs"`.execute(tx)
  if (!rows[0]?.isOurs) return false
  if (await isNew(tx)) await seeds.plant(tx)
  return true
}

/** Adds the sample community to a forum without it. */
export async function seedSample(
  { longRunning: database }: Database,
  config: Config,
  report: ReportProgress = () => undefined,
): Promise<void> {
  await assertNoSample(database.app)
  const seeds = await prepareSeeds(config, report)
  await transact(database, seeds.plant)
  clearCaches(database)
}

// Imported on demand: only one start in the life of a forum needs it.
async function prepareSeeds(config: Config, report: ReportProgress): Promise<Seeds> {
  const { gather, plant } = await import('#database/seed/community.ts')
  const seeds = await gather(config)
  return {
    async plant(tx) {
      await plant(tx, seeds, report)
      if (config.development) await enableOutbox(tx)
    },
  }
}

// For development, without a mail server: codes can be read in the outbox.
async function enableOutbox(tx: Db): Promise<void> {
  await setting.change(tx, 'emailProvider', 'outbox', 'sample')
  await setting.change(tx, 'smsProvider', 'outbox', 'sample')
}

/** Whether there is neither staff nor a topic. */
async function isNew(db: Db): Promise<boolean> {
  if (await staff.exists(db)) return false
  return (await db.selectFrom('topic').select('id').limit(1).executeTakeFirst()) === undefined
}

async function freeName(db: Db): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'admin' : `admin${number}`
    if (!(await user.isNameTaken(db, name))) return name
  }
}

async function assertNoSample(db: Db): Promise<void> {
  const { readSample } = await import('#database/sample/read.ts')
  const keys = readSample().members.map((member) => user.nameKey(member.account))
  const taken = await db.selectFrom('member').select('account').where('account_key', '=', anyOf(keys)).limit(1).executeTakeFirst()
  if (taken) throw new CannotStart(`The sample community is here already, or at least its member ${taken.account}.`)
}

// Settings and roles may have been read before the sample was there.
function clearCaches({ invalidations }: Database): void {
  invalidations.announce(new Set(['setting', 'role']))
}
