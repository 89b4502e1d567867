import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Answer, type ParsedInput } from '#base/contract.ts'
import { maxWithoutReauth, type BulkSelection } from '#base/list.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { resolveSelection, parseFilter } from '#base/server/database/bulk-selection.ts'
import { countUpTo, paged } from '#base/server/database/paged.ts'
import { staff, type PrepareContext, type ClientInfo, type StaffActor, type Staff, type Viewer } from '#base/server/http/route.ts'
import { withRegions } from '#base/server/region.ts'
import * as captcha from '#captcha/server/captcha.ts'
import { feedbackList, type handleFeedback, type sendFeedback } from '#feedback/contract.ts'
import * as sensitiveWord from '#sensitive-word/server/sensitive-word.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

type Draft = ParsedInput<typeof sendFeedback>

export async function prepare({ db, input, client, inSeparateTransaction }: PrepareContext<Draft, Viewer>): Promise<void> {
  const { feedbackCaptcha } = await setting.mustBeOpen(db, 'allowFeedback')
  // Only staff read it, so it is not held for review.
  const { name, contact, content } = input
  await sensitiveWord.refuseIn(db, { name, contact, content }, ['refuse'])
  if (feedbackCaptcha) captcha.requireRight(await inSeparateTransaction((tx) => captcha.consume(tx, 'feedback', client, input)))
}

export async function send(tx: Db, viewer: Viewer, { name, contact, content }: Draft, { ip }: ClientInfo): Promise<void> {
  await setting.mustBeOpen(tx, 'allowFeedback')
  await tx.insertInto('feedback').values({ name, contact, content, member_id: viewer.id, ip }).execute()
}

const id = sql`feedback.id`
const keys = { sent: { by: sql`feedback.sent_at`, as: 'timestamptz' } } as const

export async function list(db: Db, input: ParsedInput<typeof feedbackList>): Promise<Answer<typeof feedbackList>> {
  const page = await paged(db, filtered(db, input), { ...input, keys, id })
  const people = await user.authors(
    db,
    page.rows.flatMap(({ member_id }) => member_id ?? []),
  )
  return {
    ...page,
    rows: (await withRegions(page.rows)).map(({ member_id, deleted_at, ...row }) => ({
      ...row,
      member: (member_id && people.get(member_id)) || null,
      isDeleted: deleted_at !== null,
    })),
  }
}

/** Counts open feedback, up to a limit. */
export function waiting(db: Db): Promise<number> {
  return countUpTo(db, db.selectFrom('feedback').where('deleted_at', 'is', null).where('handled_at', 'is', null))
}

function filtered(db: Db, { state, since, until }: ParsedInput<typeof feedbackList>) {
  let query = db
    .selectFrom('feedback')
    .leftJoin('staff', 'staff.id', 'handled_by')
    .select(['feedback.id', 'name', 'contact', 'content', 'member_id', 'ip', 'sent_at as sentAt', 'handled_at as handledAt', 'remark'])
    .select(['deleted_at', 'account as handledBy', 'feedback.version'])
  if (state !== 'all') query = query.where('deleted_at', state === 'deleted' ? 'is not' : 'is', null)
  if (state === 'open' || state === 'handled') query = query.where('handled_at', state === 'open' ? 'is' : 'is not', null)
  if (since) query = query.where('sent_at', '>=', new Date(since))
  if (until) query = query.where('sent_at', '<', new Date(until))
  return query
}

export async function handle(tx: Db, by: StaffActor, client: ClientInfo, input: ParsedInput<typeof handleFeedback>): Promise<void> {
  const { feedbackId, version, isHandled, remark } = input
  const row = await tx.selectFrom('feedback').select('version').where('id', '=', feedbackId).forUpdate().executeTakeFirst()
  if (!row) throw Missing()
  await audit.refuseIfChanged(tx, `feedback ${feedbackId}`, row.version, version)
  await tx
    .updateTable('feedback')
    .set({ handled_by: isHandled ? by.id : null, handled_at: isHandled ? sql`now()` : null, remark, version: version + 1 })
    .where('id', '=', feedbackId)
    .execute()
  await audit.note(tx, by, client, {
    action: isHandled ? 'feedback.handle' : 'feedback.open',
    about: `feedback ${feedbackId}`,
    reason: remark,
  })
}

/** Deletes feedback from the list, or restores it. */
export async function setDeleted(tx: Db, by: Staff, client: ClientInfo, selection: BulkSelection, isDeleted: boolean): Promise<void> {
  const ids = await resolveSelection(tx, selection, (all) => filtered(tx, parseFilter(feedbackList, all)))
  staff('feedback.handle', { proved: ids.length > maxWithoutReauth })(by)
  const turned = await tx
    .updateTable('feedback')
    .set({ deleted_at: isDeleted ? sql`now()` : null })
    .where('id', '=', anyOf(ids))
    .where('deleted_at', isDeleted ? 'is' : 'is not', null)
    .returning('id')
    .execute()
  const [first] = turned
  if (!first) throw Missing()
  const after = selection.all ? { count: turned.length, filter: selection.all } : { ids: turned.map(({ id }) => id) }
  await audit.note(tx, by.staff, client, {
    action: isDeleted ? 'feedback.remove' : 'feedback.restore',
    about: `feedback ${first.id}`,
    after,
  })
}
