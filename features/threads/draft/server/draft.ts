import { sql, type Selectable } from 'kysely'
import type { ParsedInput } from '#base/contract.ts'
import { attachmentsOf, picturesOf } from '#base/rich-text/to-text.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Member } from '#base/server/http/route.ts'
import type { Draft } from '#database/tables.ts'
import { maxDrafts, TooManyDrafts, type DraftContent, type DraftView, type saveDraft } from '#draft/contract.ts'
import * as file from '#file/server/file.ts'
import * as setting from '#setting/server/setting.ts'

export async function find(db: Db, member: Member, place: string): Promise<DraftView | null> {
  const row = await draftAt(db, member, place).selectAll().executeTakeFirst()
  return row ? viewOf(row) : null
}

/** Saves a draft, or returns the version that another tab or device saved since. */
export async function save(
  tx: Db,
  member: Member,
  { place, content, basedOn, writer }: ParsedInput<typeof saveDraft>,
  { userAgent }: ClientInfo,
): Promise<{ version: string | null; other: DraftView | null }> {
  const present = await draftAt(tx, member, place).selectAll().forUpdate().executeTakeFirst()
  if (present && present.version !== basedOn && present.writer !== writer) {
    return isSame(present.content, content) ? { version: present.version, other: null } : { version: null, other: viewOf(present) }
  }
  if (!present) await refuseTooMany(tx, member)
  await file.postponeExpiry(tx, member.id, filesIn(content), (await setting.all(tx)).draftDays)
  const draft = { content: JSON.stringify(content), writer, device: userAgent }
  const saved = await tx
    .insertInto('draft')
    .values({ member_id: member.id, place, ...draft })
    .onConflict((conflict) =>
      conflict
        .columns(['member_id', 'place'])
        .doUpdateSet({ ...draft, version: sql<string>`default`, saved_at: sql<Date>`clock_timestamp()` })
        // Concurrent first saves of two tabs or devices conflict here: the second one gets the version of the first.
        .where(sql<boolean>`${present !== undefined} or draft.writer = excluded.writer`),
    )
    .returning('version')
    .executeTakeFirst()
  return saved ? { version: saved.version, other: null } : { version: null, other: await find(tx, member, place) }
}

export async function drop(tx: Db, member: Member, place: string, version: string): Promise<void> {
  await tx.deleteFrom('draft').where('member_id', '=', member.id).where('place', '=', place).where('version', '=', version).execute()
}

export async function purgeExpired(tx: Db): Promise<void> {
  const { draftDays } = await setting.all(tx)
  await tx
    .deleteFrom('draft')
    .where('saved_at', '<', sql<Date>`now() - ${draftDays} * interval '1 day'`)
    .execute()
}

function draftAt(db: Db, member: Member, place: string) {
  return db.selectFrom('draft').where('member_id', '=', member.id).where('place', '=', place)
}

function viewOf({ content, version, saved_at, device }: Selectable<Draft>): DraftView {
  return { content: content as DraftContent, version, savedAt: saved_at.toISOString(), device }
}

function isSame(before: unknown, content: DraftContent): boolean {
  return canonical(before) === canonical(content)
}

// jsonb does not preserve the order of keys.
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? Object.fromEntries(Object.entries(inner).sort()) : inner,
  )
}

async function refuseTooMany(tx: Db, member: Member): Promise<void> {
  const { count } = await tx
    .selectFrom('draft')
    .select((of) => of.fn.countAll<string>().as('count'))
    .where('member_id', '=', member.id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxDrafts) throw TooManyDrafts({ most: maxDrafts })
}

function filesIn({ text }: DraftContent): string[] {
  if (!text) return []
  if (text.view === 'markdown') return [...text.text.matchAll(/\]\(file:([\w-]{1,64})#/g)].flatMap(([, id]) => id ?? [])
  return [...picturesOf(text.doc), ...attachmentsOf(text.doc)].map((one) => one.file)
}
