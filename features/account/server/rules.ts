import { sql } from 'kysely'
import { RulesChanged, type changeRegistrationRules, type registrationRules } from '#account/contract.ts'
import * as audit from '#audit/server/audit.ts'
import type { Output, Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Hand } from '#base/server/route.ts'
import * as setting from '#setting/server/setting.ts'

const names = ['takesRegistrations', 'registerCaptcha', 'registrationsADay', 'freesNames', 'reservedNames'] as const
const anyLockNumberOfOurs = 7_205_160

export async function show(db: Db): Promise<Output<typeof registrationRules>> {
  const [all, version] = await Promise.all([setting.all(db), versionOf(db)])
  return { ...rulesIn(all), version }
}

export async function change(tx: Db, by: Hand, from: From, form: Taken<typeof changeRegistrationRules>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${anyLockNumberOfOurs})`.execute(tx)
  if ((await versionOf(tx)) !== form.version) throw RulesChanged({ by: (await audit.lastBy(tx, 'registration')) ?? '' })
  const before = rulesIn(await setting.all(tx))
  for (const name of names) await setting.change(tx, name, form[name], by.account)
  await audit.note(tx, by, from, { deed: 'registration.change', about: 'registration', before, after: rulesIn(form) })
}

type Rules = Pick<Output<typeof registrationRules>, (typeof names)[number]>

function rulesIn({ takesRegistrations, registerCaptcha, registrationsADay, freesNames, reservedNames }: Rules): Rules {
  return { takesRegistrations, registerCaptcha, registrationsADay, freesNames, reservedNames }
}

async function versionOf(db: Db): Promise<string> {
  const { version } = await db
    .selectFrom('setting')
    .select(sql<string | null>`max(changed_at)::text`.as('version'))
    .where('name', 'in', [...names])
    .executeTakeFirstOrThrow()
  return version ?? ''
}
