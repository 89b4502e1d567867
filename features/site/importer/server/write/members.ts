import { sql } from 'kysely'
import { insertRows, type Db } from '#base/server/database/database.ts'
import { importedHash, isStoredHash } from '#base/server/security/imported-password.ts'
import * as file from '#file/server/file.ts'
import type { Mapping } from '#importer/server/mapping.ts'
import type { SourceBan, SourceMember } from '#importer/server/source.ts'
import { balancesOf } from '#importer/server/write/credits.ts'
import { idsFor, newIds, record, insertWithIds, type ImportContext } from '#importer/server/write/import-context.ts'
import { closeLeftOut } from '#importer/server/write/authors.ts'
import { bindAddresses } from '#importer/server/write/contacts.ts'
import { storeAvatar } from '#importer/server/write/files.ts'
import { namesFor, nicknamesFor } from '#importer/server/write/names.ts'
import { membersGroup } from '#importer/server/write/tags.ts'
import { functions } from '#role/all-rights.ts'
import * as user from '#user/server/user.ts'

const maxAbout = 300

type Prepared = SourceMember & { hash: string | null; picture: file.StoredPicture | null }

/** What takes long and needs no transaction: hashes that are wrapped, and avatars. */
export async function prepareMembers(context: ImportContext, members: readonly SourceMember[]): Promise<Prepared[]> {
  const known = await newIds(
    context.database.app,
    context,
    'member',
    members.map(({ id }) => id),
  )
  return Promise.all(
    members
      .filter(({ id }) => !known.has(id))
      .map(async (member) => {
        const hash = await hashOf(member)
        if (!hash && !member.isOfficial) context.note('password of an unknown kind', member.name)
        return { ...member, hash, picture: member.avatar ? await storeAvatar(context, member.avatar, member.avatarForm) : null }
      }),
  )
}

async function hashOf({ password, passwordHash }: SourceMember): Promise<string | null> {
  if (password) return importedHash(password)
  return passwordHash && isStoredHash(passwordHash) ? passwordHash : null
}

/** What the operator chose for a member. The one that the site speaks as is one here, too. */
function choiceFor({ mapping, officialId }: ImportContext, { id, isOfficial }: SourceMember): Mapping['members'][string] | undefined {
  return mapping.members[id] ?? (isOfficial ? { do: 'join', memberId: officialId } : undefined)
}

/** Writes members with their addresses, roles, bans and credits. Nobody becomes staff. */
export async function writeMembers(tx: Db, context: ImportContext, members: readonly Prepared[]): Promise<void> {
  const rows = await writeAccounts(
    tx,
    context,
    members.filter((member) => !['leave out', 'join'].includes(choiceFor(context, member)?.do ?? '')),
  )
  const joined = members.flatMap((member) => {
    const choice = choiceFor(context, member)
    return choice?.do === 'join' ? [{ member, id: choice.memberId }] : []
  })
  await record(
    tx,
    context,
    [...rows, ...joined].flatMap(({ member, id }) => [
      { kind: 'member' as const, oldId: member.id, newId: id },
      { kind: 'name' as const, oldId: user.nameKey(member.nickname ?? member.name), newId: id },
    ]),
  )
  await record(
    tx,
    context,
    joined.map(({ id }) => ({ kind: 'kept', oldId: `member ${id}`, newId: id })),
  )
  await closeLeftOut(
    tx,
    context,
    members.filter(({ id }) => context.mapping.members[id]?.do === 'leave out'),
  )
  await writeRoles(tx, context, rows)
  await writeBans(tx, context, rows)
  await writeCredits(tx, context, [...rows, ...joined])
  for (const { member, id } of rows) {
    await bindAddresses(tx, context, member, id)
    if (member.picture) {
      await setAvatar(tx, id, member.picture)
      await record(tx, context, [{ kind: 'file', oldId: `avatar/${member.id}`, newId: member.picture.id }])
    }
  }
}

/** The accounts of members who come, with their ids. */
async function writeAccounts(tx: Db, context: ImportContext, coming: readonly Prepared[]): Promise<NamedRow[]> {
  const ids = await idsFor(
    tx,
    context,
    'member',
    coming.map(({ id }) => id),
  )
  const names = await namesFor(tx, context, coming)
  const nicknames = await nicknamesFor(tx, context, coming, names)
  const rows = coming.map((member, index) => ({
    member,
    id: ids[index] ?? '',
    name: names[index] ?? '',
    nickname: nicknames[index] ?? null,
  }))
  if (rows.length > 0)
    await insertWithIds(
      tx,
      'member',
      rows.map((row) => memberRow(context, row)),
    )
  return rows
}

type Row = { member: Prepared; id: string }

/** The text about a member, with the answers of the profile that there is room for. */
function aboutOf(context: ImportContext, { about, fields, name }: SourceMember): string {
  let text = [...about.trim()].slice(0, maxAbout).join('')
  if (text.length < about.trim().length) context.note('text about a member that was cut', name)
  for (const [question, answer] of Object.entries(context.reader.same ? {} : fields)) {
    const longer = `${text}\n${question}: ${answer.trim()}`.trim()
    if ([...longer].length <= maxAbout) text = longer
    else context.note('profile field without room', name)
  }
  return text
}

type NamedRow = Row & { name: string; nickname: string | null }

function memberRow(context: ImportContext, { member, id, name, nickname }: NamedRow) {
  const { mapping, now } = context
  const joined = member.joinedAt ?? member.lastSeenAt ?? now
  const shut = member.bans.find((ban) => ban.from === 'logging in' && ban.until === null)
  const closed = member.closed ?? (shut && { as: 'disabled' as const, because: shut.reason, at: now })
  return {
    id,
    account: name,
    account_key: user.nameKey(name),
    nickname,
    nickname_key: nickname && user.nameKey(nickname),
    password_hash: member.hash,
    language: member.language ?? mapping.language,
    agreed_to_terms_at: joined,
    joined_at: joined,
    last_seen_at: member.lastSeenAt ?? joined,
    about: aboutOf(context, member),
    shows_activity: member.showsActivity ?? true,
    shows_last_seen: member.showsLastSeen ?? true,
    is_official: false,
    topic_count: 0,
    comment_count: 0,
    reply_count: 0,
    points_earned: '0',
    version: 0,
    deactivated_at: closed?.at ?? null,
    deactivated_as: closed?.as ?? null,
    deactivated_because: closed?.because ?? null,
  }
}

async function setAvatar(tx: Db, memberId: string, picture: file.StoredPicture): Promise<void> {
  await file.add(tx, memberId, picture)
  await file.markUsed(tx, [picture.id])
  await tx.updateTable('member').set({ avatar: picture.id }).where('id', '=', memberId).execute()
}

async function writeRoles(tx: Db, context: ImportContext, rows: readonly Row[]): Promise<void> {
  const groupsOf = (member: Prepared) => [...member.groups, { id: membersGroup, until: null }]
  const roles = await newIds(
    tx,
    context,
    'group',
    rows.flatMap(({ member }) => groupsOf(member).map((group) => group.id)),
  )
  const held = rows.flatMap(({ member, id }) =>
    groupsOf(member).flatMap((group) => {
      const roleId = roles.get(group.id)
      return roleId && !(group.until && group.until <= context.now) ? [{ id, roleId, until: group.until }] : []
    }),
  )
  if (held.length === 0) return
  await sql`
    insert into role_holding (member_id, role_id, during)
    select distinct on (member, role) member, role, tstzrange(now(), until, '[)')
    from unnest(${held.map(({ id }) => id)}::bigint[], ${held.map(({ roleId }) => roleId)}::bigint[],
      ${held.map(({ until }) => until)}::timestamptz[]) as its (member, role, until)
    order by member, role, until desc nulls first`.execute(tx)
}

async function writeBans(tx: Db, { staffId, now }: ImportContext, rows: readonly Row[]): Promise<void> {
  const bans = rows.flatMap(({ member, id }) => {
    const running = member.bans.filter(({ from, until }) => !(from === 'logging in' && until === null) && !(until && until <= now))
    const ofAll = running.filter((ban) => ban.functions).flatMap((ban) => bansBy(ban, (name) => ban.functions?.includes(name) === true))
    const ban = running.find((one) => !one.functions)
    return [...ofAll, ...(ban ? bansBy(ban, () => true) : [])].map((one) => ({ ...one, id }))
  })
  if (bans.length === 0) return
  await insertRows(
    tx,
    'member_ban',
    bans.map(({ id, name, reason, until, at = now }) => ({
      member_id: id,
      function: name,
      reason: reason || 'Banned before the forum moved here',
      given_at: at,
      given_by: staffId,
      ends_at: until,
    })),
  ).execute()
}

function bansBy({ reason, until, at }: SourceBan, has: (name: string) => boolean) {
  return functions.filter(has).map((name) => ({ name, reason, until, at }))
}

async function writeCredits(tx: Db, { importId, mapping }: ImportContext, rows: readonly Row[]): Promise<void> {
  const credits = rows.flatMap(({ member, id }) => balancesOf(mapping, member.credits).map((balance) => ({ member_id: id, ...balance })))
  if (credits.length === 0) return
  await insertRows(
    tx,
    'import_credit',
    credits.map(({ amount, ...its }) => ({ import_id: importId, ...its, amount: String(amount) })),
  )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
