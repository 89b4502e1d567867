import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, NotAllowed, type Output, type ParsedInput } from '#base/contract.ts'
import { isDuplicate, type Db } from '#base/server/database/database.ts'
import { SignedOut, type ClientInfo, type Member, type Viewer } from '#base/server/http/route.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as field from '#field/server/field.ts'
import * as role from '#role/server/role.ts'
import * as sensitiveWord from '#sensitive-word/server/sensitive-word.ts'
import * as setting from '#setting/server/setting.ts'
import {
  NicknameReserved,
  NicknameTaken,
  NicknameTooSoon,
  type editableProfile,
  type editProfile,
  type home,
  type suggestMembers,
} from '#user/contract.ts'
import * as formerNames from '#user/server/former-names.ts'
import * as level from '#user/server/level.ts'
import * as user from '#user/server/user.ts'
import { countsFor } from '#user/server/written.ts'

/** A member's page as this viewer may see it. Others see the counts of posts only where the member shows them and the viewer may look. */
export async function show(db: Db, viewer: Viewer, userId: string | undefined): Promise<Output<typeof home>> {
  const memberId = userId ?? viewer.id
  if (!memberId) throw SignedOut()
  const isMe = memberId === viewer.id
  const [row, authors, heldRoles, counts, answers, formerly] = await Promise.all([
    db
      .selectFrom('member')
      .select(['account', 'joined_at', 'last_seen_at', 'shows_last_seen', 'about', 'shows_activity', 'points_earned', 'deactivated_as'])
      .where('id', '=', memberId)
      .executeTakeFirst(),
    user.authors(db, [memberId]),
    role.heldNow(db, memberId),
    countsFor(db, viewer, memberId),
    field.answersInWords(db, memberId),
    formerNames.publicNamesOf(db, memberId),
  ])
  const author = authors.get(memberId)
  if (!row || !author) throw Missing()
  const own = await level.levelAt(db, Number(row.points_earned))
  return {
    user: author,
    account: isMe ? row.account : null,
    roles: heldRoles.map(roleView),
    level: isMe ? own : { ...own, points: null, nextAt: null },
    joinedAt: row.joined_at.toISOString(),
    lastSeenAt: viewer.id !== null && (isMe || row.shows_last_seen) ? row.last_seen_at.toISOString() : null,
    about: row.deactivated_as === 'cancelled' ? '' : row.about,
    counts: isMe || row.shows_activity ? counts : null,
    isMe,
    showsActivity: row.shows_activity,
    told: row.deactivated_as === 'cancelled' ? [] : answers,
    formerly: row.deactivated_as === 'cancelled' || row.deactivated_as === 'erased' ? [] : formerly,
    isDisabled: row.deactivated_as === 'disabled',
    bans: isMe ? [...(viewer.bans ?? [])] : [],
  }
}

export async function showEditable(db: Db, member: Member): Promise<Output<typeof editableProfile>> {
  const [authors, row, heldRoles, fields, answers, nicknames] = await Promise.all([
    user.authors(db, [member.id]),
    db
      .selectFrom('member')
      .select(['account', 'nickname', 'about', 'shows_activity', 'shows_last_seen'])
      .where('id', '=', member.id)
      .executeTakeFirstOrThrow(),
    role.heldNow(db, member.id),
    field.allFields(db),
    field.answersOf(db, member.id),
    formerNames.limitsOf(db, member.id),
  ])
  const author = authors.get(member.id)
  if (!author) throw Missing()
  return {
    user: author,
    account: row.account,
    nickname: row.nickname ?? '',
    // A member without a nickname gives none up.
    nicknames: row.nickname === null ? { ...nicknames, keptUntil: null } : nicknames,
    about: row.about,
    showsActivity: row.shows_activity,
    showsLastSeen: row.shows_last_seen,
    roles: heldRoles.map(roleView),
    fields,
    answers,
  }
}

/** Changes nickname, biography and privacy; an empty nickname shows the account name again. */
export async function edit(
  tx: Db,
  member: Member,
  from: Pick<ClientInfo, 'ip'>,
  form: ParsedInput<typeof editProfile>,
): Promise<Output<typeof editProfile>> {
  if (!member.may('profile.change')) throw NotAllowed()
  const { reservedNames } = await setting.all(tx)
  const before = await textsOf(tx, member.id)
  const isOwn = user.nameKey(form.nickname) === user.nameKey(before.nickname ?? '')
  const about = form.about ?? before.about
  if (form.nickname && !isOwn && user.isReserved(form.nickname, reservedNames)) throw NicknameReserved()
  await sensitiveWord.refuseIn(tx, { ...(!isOwn && { nickname: form.nickname }), ...(about !== before.about && { about }) })
  if (!isOwn && form.nickname && (await user.isTaken(tx, form.nickname, member.id))) throw NicknameTaken()
  const gives = isOwn ? null : before.nickname
  if (gives !== null) {
    const days = await formerNames.daysToWait(tx, member.id)
    if (days > 0) throw NicknameTooSoon({ days })
    await formerNames.recordFormerName(tx, member.id, { name: gives, key: user.nameKey(gives) })
  }
  if (form.answers) await field.saveAnswers(tx, member.id, await field.validated(tx, form.answers))
  await tx
    .updateTable('member')
    .set({
      version: sql`version + 1`,
      nickname: form.nickname || null,
      nickname_key: form.nickname ? user.nameKey(form.nickname) : null,
      about,
      shows_activity: form.showsActivity,
      ...(form.showsLastSeen !== undefined && { shows_last_seen: form.showsLastSeen }),
    })
    .where('id', '=', member.id)
    .execute()
    .catch((error: unknown) => {
      throw isDuplicate(error) ? NicknameTaken() : error
    })
  invalidate(tx, `member:${member.id}`)
  await user.enqueueRenames(tx)
  if (!isOwn) await logStaffRename(tx, member, from, { before: { nickname: before.nickname }, after: { nickname: form.nickname || null } })
  const authors = await user.authors(tx, [member.id])
  const view = authors.get(member.id)
  if (!view) throw Missing()
  return view
}

async function textsOf(tx: Db, memberId: string): Promise<{ nickname: string | null; about: string }> {
  return tx.selectFrom('member').select(['nickname', 'about']).where('id', '=', memberId).executeTakeFirstOrThrow()
}

// Members know staff by this name, and the log by their account, so it must connect the two.
async function logStaffRename(
  tx: Db,
  member: Member,
  from: Pick<ClientInfo, 'ip'>,
  change: { before: unknown; after: unknown },
): Promise<void> {
  const actor = await tx.selectFrom('staff').select(['id', 'account']).where('speaks_as', '=', member.id).executeTakeFirst()
  if (actor) await audit.note(tx, actor, from, { action: 'member.edit', about: `member ${member.id}`, ...change })
}

/**
 * Up to eight open accounts whose shown name begins with the text, shortest name first. An account name behind a nickname is not searched.
 */
export async function suggest(db: Db, query: string): Promise<Output<typeof suggestMembers>> {
  const start = user.nameKey(query)
  const rows = await db
    .selectFrom('member')
    .select('id')
    .where(sql<boolean>`(${user.hasPrefix('nickname_key', start)} or nickname_key is null and ${user.hasPrefix('account_key', start)})`)
    .where('deactivated_at', 'is', null)
    .orderBy(sql`length(coalesce(nickname_key, account_key))`)
    .orderBy('id')
    .limit(8)
    .execute()
  const authors = await user.authors(
    db,
    rows.map((row) => row.id),
  )
  return { members: rows.flatMap((row) => authors.get(row.id) ?? []) }
}

function roleView(row: Awaited<ReturnType<typeof role.heldNow>>[number]) {
  return { id: row.id, name: { zh: row.name_zh, en: row.name_en }, endsAt: row.ends_at?.toISOString() ?? null }
}
