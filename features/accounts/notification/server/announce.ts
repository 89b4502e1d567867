import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Answer, type Output, type ParsedInput } from '#base/contract.ts'
import { maxWithoutReauth, type BulkSelection } from '#base/list.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { resolveSelection, parseFilter } from '#base/server/database/bulk-selection.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { paged } from '#base/server/database/paged.ts'
import { staff, type ClientInfo, type StaffActor, type Staff } from '#base/server/http/route.ts'
import { ChangedBy, SentAlready, TextNeeded, TimeNeeded, TooSoon } from '#notification/contract.ts'
import { announcementViews, firstLines } from '#notification/server/announcement-views.ts'
import { inboxesTag } from '#notification/server/notify.ts'
import {
  noticeList,
  type addNotice,
  type editNotice,
  type noticeSource,
  type previewNotice,
  type states,
} from '#notification/staff-contract.ts'

type State = (typeof states)[number]
type Draft = ParsedInput<typeof addNotice>

const id = sql`notice.id`
const keys = { made: { by: id, as: 'bigint' } } as const
const state = sql<State>`case when notice.removed_at is not null then 'removed' when sends_at is null then 'draft'
  when sends_at > now() then 'waiting' else 'sent' end`

export async function list(db: Db, input: ParsedInput<typeof noticeList>): Promise<Answer<typeof noticeList>> {
  const page = await paged(db, filtered(db, input), { ...input, keys, id })
  const begins = await firstLines(page.rows)
  return { ...page, rows: page.rows.map((row) => rowOf(row, begins)) }
}

export async function source(db: Db, noticeId: string): Promise<Answer<typeof noticeSource>> {
  const row = await announcements(db).select('notice.version').where('notice.id', '=', noticeId).executeTakeFirst()
  if (!row) throw Missing()
  const [begins, viewOf] = await Promise.all([firstLines([row]), announcementViews([row])])
  return { ...rowOf(row, begins), textZh: row.text_zh, textEn: row.text_en, version: row.version, says: viewOf(row) }
}

export async function preview({ textZh, textEn }: ParsedInput<typeof previewNotice>): Promise<Output<typeof previewNotice>> {
  const texts = { text_zh: textZh, text_en: textEn }
  return (await announcementViews([texts]))(texts)
}

export async function add(tx: Db, by: StaffActor, client: ClientInfo, draft: Draft): Promise<{ noticeId: string }> {
  const { id: noticeId } = await tx
    .insertInto('notice')
    .values({ ...valuesOf(draft), kind: 'announcement', written_by: by.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  invalidate(tx, inboxesTag)
  await audit.note(tx, by, client, { action: 'announcement.add', about: `notice ${noticeId}`, after: await auditDetails(draft) })
  return { noticeId }
}

/** Refused once it is sent, because it may have been read, and after a concurrent edit. */
export async function edit(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { noticeId, version, ...draft }: ParsedInput<typeof editNotice>,
): Promise<void> {
  const before = await lockUnsent(tx, noticeId)
  if (before.version !== version) throw ChangedBy({ account: (await audit.lastActor(tx, `notice ${noticeId}`)) ?? '' })
  await tx
    .updateTable('notice')
    .set({ ...valuesOf(draft), version: version + 1 })
    .where('id', '=', noticeId)
    .execute()
  invalidate(tx, inboxesTag)
  await audit.note(tx, by, client, {
    action: 'announcement.edit',
    about: `notice ${noticeId}`,
    before: { sendsAt: before.sends_at },
    after: await auditDetails(draft),
  })
}

export async function withdraw(tx: Db, by: StaffActor, client: ClientInfo, noticeId: string): Promise<void> {
  const before = await lockUnsent(tx, noticeId)
  if (before.sends_at === null) return
  await tx
    .updateTable('notice')
    .set({ sends_at: null, version: before.version + 1 })
    .where('id', '=', noticeId)
    .execute()
  await audit.note(tx, by, client, { action: 'announcement.withdraw', about: `notice ${noticeId}`, before: { sendsAt: before.sends_at } })
}

/** Removes announcements or restores them. A scheduled one that was removed is not sent when it is restored. */
export async function setRemoved(tx: Db, by: Staff, client: ClientInfo, selection: BulkSelection, isRemoved: boolean): Promise<void> {
  const ids = await resolveSelection(tx, selection, (all) => filtered(tx, parseFilter(noticeList, all)))
  staff('announcement.send', { proved: ids.length > maxWithoutReauth })(by)
  const turned = await tx
    .updateTable('notice')
    .set({ removed_at: isRemoved ? sql`now()` : null, sends_at: sql`case when sends_at <= now() then sends_at end` })
    .where('id', '=', anyOf(ids))
    .where('member_id', 'is', null)
    .where('removed_at', isRemoved ? 'is' : 'is not', null)
    .returning('id')
    .execute()
  if (turned.length === 0) throw Missing()
  invalidate(tx, inboxesTag)
  const action = isRemoved ? 'announcement.remove' : 'announcement.restore'
  const noted = turned.map(({ id: noticeId }) => ({ action, about: `notice ${noticeId}` }) as const)
  await audit.noteAll(tx, by.staff, client, noted)
}

function announcements(db: Db) {
  return db
    .selectFrom('notice')
    .innerJoin('staff', 'staff.id', 'written_by')
    .select(['notice.id', 'text_zh', 'text_en', 'sends_at as sendsAt', 'staff.account as writtenBy', state.as('state')])
    .where('member_id', 'is', null)
}

type Row = Awaited<ReturnType<ReturnType<typeof announcements>['execute']>>[number]

function rowOf({ text_zh, text_en, ...row }: Row, begins: (text: string) => string) {
  return { ...row, zh: begins(text_zh), en: begins(text_en) }
}

function filtered(db: Db, { state: stateFilter, keyword, since, until }: ParsedInput<typeof noticeList>) {
  let query = announcements(db)
  query = stateFilter ? query.where(state, '=', stateFilter) : query.where('notice.removed_at', 'is', null)
  if (keyword) {
    const like = `%${keyword.replaceAll(/[\\%_]/g, '\\$&')}%`
    query = query.where((row) => row.or([row('text_zh', 'ilike', like), row('text_en', 'ilike', like)]))
  }
  if (since) query = query.where('sends_at', '>=', new Date(since))
  if (until) query = query.where('sends_at', '<', new Date(until))
  return query
}

async function lockUnsent(tx: Db, noticeId: string) {
  const row = await tx
    .selectFrom('notice')
    .select(['version', 'sends_at', sql<boolean>`coalesce(sends_at <= clock_timestamp(), false)`.as('isSent')])
    .where('id', '=', noticeId)
    .where('member_id', 'is', null)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw Missing()
  if (row.isSent) throw SentAlready()
  return row
}

function valuesOf({ textZh, textEn, when, sendsAt }: Draft) {
  if (!textZh && !textEn) throw TextNeeded()
  return { text_zh: textZh, text_en: textEn, sends_at: when === 'now' ? sql<Date>`now()` : timeOf(when, sendsAt) }
}

function timeOf(when: 'later' | 'never', sendsAt: string | undefined): Date | null {
  if (when === 'never') return null
  if (!sendsAt) throw TimeNeeded()
  const at = new Date(sendsAt)
  if (at.getTime() <= Date.now()) throw TooSoon()
  return at
}

async function auditDetails({ textZh, textEn, when, sendsAt }: Draft) {
  const begins = await firstLines([{ text_zh: textZh, text_en: textEn }])
  return { begins: begins(textZh || textEn), when, ...(when === 'later' && { sendsAt }) }
}
