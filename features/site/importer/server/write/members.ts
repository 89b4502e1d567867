import { sql } from 'kysely'
import * as contact from '#contact/server/contact.ts'
import { AddressTaken } from '#contact/contract.ts'
import { normalizeEmail } from '#base/email-address.ts'
import { Refusal } from '#base/contract.ts'
import { insertRows, type Db } from '#base/server/database/database.ts'
import { importedHash } from '#base/server/security/imported-password.ts'
import * as file from '#file/server/file.ts'
import type { SourceMember } from '#importer/server/source.ts'
import { balancesOf } from '#importer/server/write/credits.ts'
import { newIds, record, insertWithIds, reserveIds, type ImportContext } from '#importer/server/write/import-context.ts'
import { closeLeftOut } from '#importer/server/write/authors.ts'
import { storeAvatar } from '#importer/server/write/files.ts'
import { cleanName, freeNames } from '#importer/server/write/names.ts'
import { membersGroup } from '#importer/server/write/tags.ts'
import { functions } from '#role/all-rights.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

const maxAbout = 300

type Prepared = SourceMember & { hash: string | null; picture: file.StoredPicture | null }

/** What takes long and needs no transaction: hashes that are wrapped, and avatars. */
export function prepareMembers(context: ImportContext, members: readonly SourceMember[]): Promise<Prepared[]> {
  return Promise.all(
    members.map(async (member) => {
      const hash = member.password && (await importedHash(member.password))
      if (!hash) context.note('password of an unknown kind', member.name)
      return { ...member, hash, picture: member.avatar ? await storeAvatar(context, member.avatar) : null }
    }),
  )
}

/** Writes members with their addresses, roles, bans and credits. Nobody becomes staff. */
export async function writeMembers(tx: Db, context: ImportContext, members: readonly Prepared[]): Promise<void> {
  const coming = members.filter(({ id }) => !['leave out', 'join'].includes(context.mapping.members[id]?.do ?? ''))
  const ids = await reserveIds(tx, 'member', coming.length)
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
  const joined = members.flatMap(({ id, name, nickname }) => {
    const choice = context.mapping.members[id]
    return choice?.do === 'join' ? [{ member: { id, name, nickname }, id: choice.memberId }] : []
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
  await writeCredits(tx, context, [...rows, ...joinedWith(members, joined)])
  for (const { member, id } of rows) {
    await bindAddresses(tx, context, member, id)
    if (member.picture) {
      await setAvatar(tx, id, member.picture)
      await record(tx, context, [{ kind: 'file', oldId: `avatar/${member.id}`, newId: member.picture.id }])
    }
  }
}

type Row = { member: Prepared; id: string }

function joinedWith(members: readonly Prepared[], joined: readonly { member: { id: string }; id: string }[]): Row[] {
  return joined.flatMap(({ member: { id: oldId }, id }) => members.filter((one) => one.id === oldId).map((member) => ({ member, id })))
}

/** The text about a member, with the answers of the profile that there is room for. */
function aboutOf(context: ImportContext, { about, fields, name }: SourceMember): string {
  let text = [...about.trim()].slice(0, maxAbout).join('')
  for (const [question, answer] of Object.entries(fields)) {
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
  return {
    id,
    account: name,
    account_key: user.nameKey(name),
    nickname,
    nickname_key: nickname && user.nameKey(nickname),
    password_hash: member.hash,
    language: mapping.language,
    agreed_to_terms_at: joined,
    joined_at: joined,
    last_seen_at: member.lastSeenAt ?? joined,
    about: aboutOf(context, member),
    shows_activity: member.hidesActivity !== true,
    shows_last_seen: true,
    is_official: false,
    topic_count: 0,
    comment_count: 0,
    reply_count: 0,
    points_earned: '0',
    version: 0,
    deactivated_at: shut ? now : null,
    deactivated_as: shut ? ('disabled' as const) : null,
    deactivated_because: shut ? shut.reason : null,
  }
}

/** The names of the members, each free: one that differs from another by case or width alone gets a number. */
async function namesFor(tx: Db, context: ImportContext, members: readonly SourceMember[]): Promise<string[]> {
  const wished = members.map(({ id, name }) => {
    const choice = context.mapping.members[id]
    return choice?.do === 'rename' ? choice.name : cleanName(name) || `member-${id}`
  })
  const free = await freeNames(tx, wished)
  for (const [index, name] of free.entries())
    if (name !== wished[index]) context.note('name that another member has', `${wished[index]} → ${name}`)
  return free
}

/** Nicknames that are free beside the accounts of the same page. */
async function nicknamesFor(tx: Db, context: ImportContext, members: readonly SourceMember[], accounts: readonly string[]) {
  const wished = members.map(({ nickname = '' }, index) => (cleanName(nickname) === accounts[index] ? '' : cleanName(nickname)))
  // Behind the accounts, each gets a number where it is one of them.
  const free = await freeNames(tx, [...accounts, ...wished.filter((name) => name !== '')])
  let next = accounts.length
  return wished.map((name) => {
    if (name === '') return null
    const nickname = free[next++] ?? name
    if (nickname !== name) context.note('name that another member has', `${name} → ${nickname}`)
    return nickname
  })
}

async function bindAddresses(tx: Db, context: ImportContext, member: SourceMember, memberId: string): Promise<void> {
  await bindEmail(tx, context, member, memberId)
  await bindPhone(tx, context, member, memberId)
}

async function bindPhone(tx: Db, context: ImportContext, { name, phone }: SourceMember, memberId: string): Promise<void> {
  if (!phone) return
  try {
    await contact.bind(tx, memberId, { kind: 'phone', address: contact.normalize('phone', { phone }, await setting.all(tx)) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    context.note(error.kind === AddressTaken ? 'phone number that another member has' : 'phone number that is none', name)
  }
}

async function bindEmail(tx: Db, context: ImportContext, { name, email }: SourceMember, memberId: string): Promise<void> {
  const address = email && normalizeEmail(email.address)
  if (!address) return void (email?.address && context.note('e-mail address that is none', name))
  try {
    await contact.bind(tx, memberId, { kind: 'email', address })
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== AddressTaken) throw error
    context.note('e-mail address that another member has', name)
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
    const ban = member.bans.find(({ from, until }) => !(from === 'logging in' && until === null) && !(until && until <= now))
    return ban ? functions.map((name) => ({ id, name, reason: ban.reason, until: ban.until })) : []
  })
  if (bans.length === 0) return
  await insertRows(
    tx,
    'member_ban',
    bans.map(({ id, name, reason, until }) => ({
      member_id: id,
      function: name,
      reason: reason || 'Banned before the forum moved here',
      given_at: now,
      given_by: staffId,
      ends_at: until,
    })),
  ).execute()
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
