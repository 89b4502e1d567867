import { readFile } from 'node:fs/promises'
import { hashPassword } from '#base/server/security/hash-password.ts'
import type { Config } from '#base/server/config.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ReportProgress } from '#base/server/progress.ts'
import { newToken } from '#base/server/security/secret.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { readSample, type SampleMember, type SampleRole, type SampleTagGroup } from '#database/sample/read.ts'
import { addConversations } from '#database/seed/assistant.ts'
import { sellCards } from '#database/seed/cards.ts'
import type { People } from '#database/seed/document.ts'
import { giveEnvelopes } from '#database/seed/envelopes.ts'
import { required } from '#database/seed/required.ts'
import { giveBalances, isLocalSite } from '#database/seed/balances.ts'
import { help } from '#database/seed/help.ts'
import { follow } from '#database/seed/follows.ts'
import { like } from '#database/seed/likes.ts'
import { write } from '#database/seed/messages.ts'
import { addPolls } from '#database/seed/polls.ts'
import { storePictures, storeTagPictures } from '#database/seed/picture.ts'
import { seedNotifications } from '#database/seed/notifications.ts'
import { post, type Seeds } from '#database/seed/post.ts'
import * as file from '#file/server/file.ts'
import { tagRights, type Right } from '#role/all-rights.ts'
import * as role from '#role/server/role.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

const dayMs = 86_400_000

/** The operators of the sample, for the about page. */
const runBy = {
  runByZh:
    '茶馆小二和几位老客一起照看这里，用的是业余时间。\n有事请发私信给茶馆小二，或者用页脚的反馈。\n这是一个示例社区，成员和话题都是编的。',
  runByEn:
    'The teahouse team and a few regulars look after this place in their spare time.\nTo reach us, send the team a message or use the feedback at the foot of the page.\nThis is a sample community: its members and topics are made up.',
} as const

export async function gather(config: Config): Promise<Seeds> {
  const sample = readSample()
  const [passwordHash, zh, en, tagPictures, pictures] = await Promise.all([
    // A random password, so that no sample member can log in.
    hashPassword(newToken()),
    termsIn('zh'),
    termsIn('en'),
    storeTagPictures(config),
    storePictures(config, sample),
  ])
  return { sample, pictures, tagPictures, passwordHash, terms: { zh, en }, now: new Date(), hasCash: isLocalSite(config) }
}

/** Writes the sample community into the database, with its past. */
export async function plant(tx: Db, seeds: Seeds, report: ReportProgress): Promise<void> {
  const { sample, terms } = seeds
  await tx.insertInto('terms').values({ body_zh: terms.zh, body_en: terms.en, asks_again: false }).execute()
  const roles = await addRoles(tx, sample.roles)
  const people = await addMembers(tx, seeds, roles)
  const tags = await addTags(tx, sample.tags, roles)
  invalidate(tx, 'tags')
  await addTagPictures(tx, seeds, required(people, 'teahouse_team').id)
  for (const [name, text] of Object.entries(runBy) as [keyof typeof runBy, string][]) await setting.change(tx, name, text, 'sample')
  await giveBalances(tx, sample.members, people, seeds.hasCash)
  await post(tx, seeds, { people, tags, report })
  await like(tx, people, seeds.now)
  await seedNotifications(tx, seeds.now)
  await follow(tx, people, seeds.now)
  await write(tx, people, seeds.now)
  await help(tx)
  if (seeds.hasCash) await addConversations(tx, people, seeds.now)
  await openToModerators(tx, sample.tags, tags, required(roles, 'moderator'))
  await reserveForModerators(tx, required(tags, 'notices'), required(roles, 'moderator'))
  await sellCards(tx, tags, people)
  await giveEnvelopes(tx, seeds, people)
  await addPolls(tx, seeds, people)
  invalidate(tx, 'tags', 'role', 'everything')
}

async function termsIn(language: 'zh' | 'en'): Promise<string> {
  return readFile(new URL(`../sample/terms.${language}.md`, import.meta.url), 'utf8')
}

/** Reuses an existing role of the same name. */
async function addRoles(tx: Db, roles: readonly SampleRole[]): Promise<Map<string, string>> {
  const there = await tx.selectFrom('role').select(['id', 'name_en']).execute()
  const ids = new Map<string, string>()
  for (const [index, { key, name }] of roles.entries()) {
    const id = there.find((one) => one.name_en === name.en)?.id ?? (await addRole(tx, name, 20 + index))
    ids.set(key, id)
  }
  return ids
}

async function addRole(tx: Db, name: SampleRole['name'], sort: number): Promise<string> {
  const row = { name_zh: name.zh, name_en: name.en, sort }
  return (await tx.insertInto('role').values(row).returning('id').executeTakeFirstOrThrow()).id
}

async function addMembers(tx: Db, { sample, passwordHash, now }: Seeds, roles: ReadonlyMap<string, string>): Promise<People> {
  const rows = await tx
    .insertInto('member')
    .values(sample.members.map((member) => memberRow(member, passwordHash, now)))
    .returning(['id', 'account', 'nickname'])
    .execute()
  const people = new Map(rows.map((row) => [row.account, { id: row.id, name: row.nickname ?? row.account }]))
  for (const member of sample.members) {
    for (const grant of member.roles) {
      const endsAt = grant.daysLeft === undefined ? null : new Date(now.getTime() + grant.daysLeft * dayMs)
      await role.give(tx, required(people, member.account).id, required(roles, grant.role), endsAt)
    }
  }
  return people
}

function memberRow(member: SampleMember, password_hash: string, now: Date) {
  const joined = new Date(now.getTime() - member.joinedDaysAgo * dayMs)
  return {
    account: member.account,
    account_key: user.nameKey(member.account),
    nickname: member.nickname,
    nickname_key: user.nameKey(member.nickname),
    password_hash,
    language: member.language,
    about: member.about,
    joined_at: joined,
    agreed_to_terms_at: joined,
    ...(member.deactivated && { deactivated_at: now, deactivated_as: 'cancelled' as const }),
  }
}

/** Tag ids by key. In a restricted tag its role gets the rights that everybody has elsewhere. */
async function addTags(tx: Db, groups: readonly SampleTagGroup[], roles: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const [place, group] of groups.entries()) {
    const parent = await addTag(tx, { key: group.key, name: group.name, sort: place, parentId: null, isRestricted: false })
    for (const [sort, leaf] of group.children.entries()) {
      const isRestricted = leaf.restrictedTo !== undefined
      const tagId = await addTag(tx, { ...leaf, sort, parentId: parent, isRestricted })
      if (leaf.restrictedTo) await openTo(tx, required(roles, leaf.restrictedTo), tagId)
      ids.set(leaf.key, tagId)
    }
  }
  return ids
}

type NewTag = Pick<SampleTagGroup['children'][number], 'key' | 'name' | 'description'> & {
  sort: number
  parentId: string | null
  isRestricted: boolean
}

async function addTag(tx: Db, { key, name, description, sort, parentId, isRestricted }: NewTag): Promise<string> {
  const descriptions = description && { description_zh: description.zh, description_en: description.en }
  const row = { key, name_zh: name.zh, name_en: name.en, ...descriptions, sort, parent_id: parentId, is_restricted: isRestricted }
  return (await tx.insertInto('tag').values(row).returning('id').executeTakeFirstOrThrow()).id
}

async function addTagPictures(tx: Db, { tagPictures }: Seeds, ownerId: string): Promise<void> {
  for (const [key, picture] of tagPictures) {
    await file.add(tx, ownerId, picture)
    await file.markUsed(tx, [picture.id])
    await tx.updateTable('tag').set({ picture: picture.id }).where('key', '=', key).execute()
  }
}

async function openTo(tx: Db, roleId: string, tagId: string): Promise<void> {
  await grant(
    tx,
    roleId,
    tagId,
    tagRights.filter((right) => !right.startsWith('content.')),
  )
}

/** Moderators must see restricted tags. */
async function openToModerators(
  tx: Db,
  groups: readonly SampleTagGroup[],
  tags: ReadonlyMap<string, string>,
  keepers: string,
): Promise<void> {
  for (const { key, restrictedTo } of groups.flatMap((group) => group.children)) {
    if (restrictedTo) await grant(tx, keepers, required(tags, key), tagRights)
  }
}

/** Everybody reads and comments there; only moderators publish. */
async function reserveForModerators(tx: Db, tagId: string, keepers: string): Promise<void> {
  const everybody = await tx.selectFrom('role').select('id').where('is_default', '=', true).executeTakeFirstOrThrow()
  await tx.updateTable('tag').set({ is_restricted: true }).where('id', '=', tagId).execute()
  await grant(
    tx,
    everybody.id,
    tagId,
    tagRights.filter((right) => right !== 'topic.publish' && right !== 'question.ask' && !right.startsWith('content.')),
  )
  await grant(tx, keepers, tagId, ['topic.publish', 'question.ask', 'content.edit.any', 'content.remove.any'])
}

async function grant(tx: Db, roleId: string, tagId: string, rights: readonly Right[]): Promise<void> {
  await tx
    .insertInto('role_right')
    .values(rights.map((right) => ({ role_id: roleId, right_name: right, tag_id: tagId })))
    .execute()
}
