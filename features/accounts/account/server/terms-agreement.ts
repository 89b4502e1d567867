import { sql } from 'kysely'
import { TermsFirst } from '#account/contract.ts'
import { cachedValue } from '#base/server/cache/cached-value.ts'
import type { Db } from '#base/server/database/database.ts'
import * as setting from '#setting/server/setting.ts'

const dayMs = 86_400_000

/**
 * The deadline for a member's agreement to new terms, counted from the first version they did not agree to. Null where no agreement is due.
 */
export async function termsDeadline(db: Db, memberId: string): Promise<{ by: Date } | null> {
  const { since } = await db
    .selectFrom('terms')
    .select(sql<Date | null>`min(published_at)`.as('since'))
    .where('asks_again', '=', true)
    .where('published_at', '>', sql<Date>`(select agreed_to_terms_at from member where id = ${memberId})`)
    .where('id', '>', sql<string>`coalesce((select max(terms_id) from terms_agreement where member_id = ${memberId}), 0)`)
    .executeTakeFirstOrThrow()
  if (!since) return null
  const { termsGraceDays } = await setting.all(db)
  return { by: new Date(since.getTime() + termsGraceDays * dayMs) }
}

type NewestTerms = {
  id: string
  /** Members who owe these no agreement, and will owe none until newer ones are published. */ settled: Set<string>
}

const newestTerms = cachedValue<NewestTerms | 'none'>('terms', async (db, before) => {
  const terms = db.selectFrom('terms').where('asks_again', '=', true)
  const { newest } = await terms.select(({ fn }) => fn.max('id').as('newest')).executeTakeFirstOrThrow()
  if (newest === null) return 'none'
  return before !== null && before !== 'none' && before.id === newest ? before : { id: newest, settled: new Set() }
})
const maxCachedMembers = 20_000

/** After the deadline a member can read, but must agree before writing. */
export async function requireTermsAgreement(db: Db, memberId: string): Promise<void> {
  const terms = await newestTerms.of(db)
  if (terms === 'none') return
  const { settled: agreed } = terms
  if (agreed.size >= maxCachedMembers) agreed.clear()
  if (agreed.has(memberId)) return
  const owed = await termsDeadline(db, memberId)
  if (owed && owed.by.getTime() <= Date.now()) throw TermsFirst()
  if (!owed) agreed.add(memberId)
}
