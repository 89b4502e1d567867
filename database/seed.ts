import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import * as staff from '#staff/server/staff.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Config } from '#base/server/config.ts'
import { transact, type Database, type Db } from '#base/server/database.ts'
import * as role from '#role/server/role.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

const anyLockNumberOfOurs = 7_205_115

/** What a new forum begins with: one member of staff, and the sample community if it is wanted. Null when it is not new. */
export async function seedFirst(database: Database, config: Config): Promise<{ account: string; password: string } | null> {
  if (await staff.exists(database.app)) return null
  const seeds = config.sample && !(await hasTopics(database.app)) ? await gathered(config) : null
  for (;;) {
    const admin = await transact(database, (tx) => begin(tx, seeds))
    if (admin !== 'another begins') {
      forgetAll()
      return admin
    }
    // The sample takes longer than one statement may wait.
    await setTimeout(500)
  }
}

type Seeds = { plant: (tx: Db) => Promise<void> }

async function begin(tx: Db, seeds: Seeds | null) {
  const { rows } = await sql<{ isOurs: boolean }>`select pg_try_advisory_xact_lock(${anyLockNumberOfOurs}) as "isOurs"`.execute(tx)
  if (!rows[0]?.isOurs) return 'another begins'
  // Another machine may have started first.
  if (await staff.exists(tx)) return null
  await seeds?.plant(tx)
  return staff.add(tx, await freeName(tx))
}

/** Adds the sample community to a forum that does not have it. */
export async function seedSample(database: Database, config: Config): Promise<void> {
  await refuseIfThere(database.app)
  const seeds = await gathered(config)
  await transact(database, seeds.plant)
  forgetAll()
}

// Once in the life of a forum, so no other start loads it.
async function gathered(config: Config): Promise<Seeds> {
  const { gather, plant } = await import('#database/seed/community.ts')
  const seeds = await gather(config)
  return { plant: (tx) => plant(tx, seeds) }
}

async function hasTopics(db: Db): Promise<boolean> {
  return (await db.selectFrom('topic').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function freeName(db: Db): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'admin' : `admin${number}`
    if (!(await user.isNameTaken(db, name))) return name
  }
}

async function refuseIfThere(db: Db): Promise<void> {
  const { readSample } = await import('#database/sample/read.ts')
  const keys = readSample().members.map((member) => user.nameKey(member.account))
  const taken = await db.selectFrom('member').select('account').where('account_key', 'in', keys).limit(1).executeTakeFirst()
  if (taken) throw new CannotStart(`The sample community is here already, or at least its member ${taken.account}.`)
}

// What was read while none of this was there.
function forgetAll(): void {
  setting.forget()
  role.forget()
}
