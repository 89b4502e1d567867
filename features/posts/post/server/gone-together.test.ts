import { sql } from 'kysely'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { undoBatch, batches } from '#batch/contract.ts'
import { myThread } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { purgeTopic, removeTopicAsStaff } from '#content/contract.ts'
import { mergeTopics } from '#content/move-contract.ts'
import { addFavourite, addFolder } from '#favourite/contract.ts'
import { addFollow, block, followList, gatherNews, setLevel } from '#follow/contract.ts'
import { addLike } from '#like/contract.ts'
import { cancelMember, restoreMember } from '#member/contract.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import { changeNotificationSetting, notificationList } from '#notification/notification-contract.ts'
import { tallies } from '#post/server/tally.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'

// The deletion of a member or a thread deletes all that members did with it.

let forum: Forum
let chief: Staffer
let tagId: string
let [mei, tom, bo] = [] as unknown as [Person, Person, Person]

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
})
beforeEach(async () => {
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
})

const levelOf = async (who: Person, topicId: string) => (await who.call(myThread, { topicId })).follows.level
const reason = 'It must be so.'

/** Puts a row into each table, as a member who has used everything. */
async function busy(who: Person): Promise<string> {
  const topicId = await aTopic(mei, tagId)
  const own = await aTopic(who, tagId)
  const { folderId } = await who.call(addFolder, { name: 'Tea', isPublic: false })
  await who.call(addFavourite, { topicId })
  await sql`update favourite set folder_id = ${folderId} where member_id = ${who.id}`.execute(forum.database.app)
  await who.call(addLike, { kind: 'topic', id: topicId })
  await who.call(addFollow, { of: 'member', id: mei.id })
  await who.call(setLevel, { of: 'topic', id: topicId, level: 'watching' })
  await who.call(setLevel, { of: 'tag', id: tagId, level: 'tracking' })
  await who.call(block, { userId: tom.id, way: 'muted' })
  await who.call(changeNotificationSetting, { kind: 'followed', forum: false })
  await forum.database.app
    .insertInto('notification_preference')
    .values({ member_id: who.id, kind: 'commented', channel: 'email' })
    .execute()
  await forum.database.app.insertInto('notification_channel').values({ member_id: who.id, channel: 'email' }).execute()
  await aComment(mei, own)
  await who.call(gatherNews, {})
  await tallies.write(forum.database)
  return topicId
}

const tables = {
  follow: ['member_id'],
  follow_progress: ['member_id'],
  member_block: ['member_id', 'other_id'],
  post_like: ['member_id'],
  favourite: ['member_id'],
  favourite_folder: ['member_id'],
  notification: ['member_id'],
  notification_event: ['member_id', 'actor_id'],
  notification_mute: ['member_id'],
  notification_preference: ['member_id'],
  notification_channel: ['member_id'],
  notification_queue: ['member_id'],
} as const

/** The tables with rows of a member. */
async function tablesOf({ id }: Person): Promise<string[]> {
  const found: string[] = []
  for (const [table, columns] of Object.entries(tables)) {
    const isTheirs = sql.join(
      columns.map((column) => sql`${sql.ref(column)} = ${id}`),
      sql` or `,
    )
    const { rows } = await sql`select from ${sql.table(table)} where ${isTheirs} limit 1`.execute(forum.database.app)
    if (rows.length > 0) found.push(table)
  }
  return found
}

test('a merged account keeps nothing, and the other account has all of it', async () => {
  const old = await forum.member()
  const topicId = await busy(old)
  expect(await tablesOf(old)).toEqual(Object.keys(tables))
  await chief.call(mergeMembers, { memberId: old.id, account: old.account, into: bo.account, reason })
  await resume(forum.database)
  await tallies.write(forum.database)
  expect(await tablesOf(old)).toEqual([])
  expect(await levelOf(bo, topicId)).toBe('watching')
  expect((await tablesOf(bo)).toSorted()).toEqual(
    ['member_block', 'favourite', 'favourite_folder', 'follow', 'post_like', 'notification', 'notification_event'].toSorted(),
  )
})

test('an ended account can be restored, so its likes, follows and votes stay', async () => {
  const ann = await forum.member()
  await busy(ann)
  await chief.call(cancelMember, { memberId: ann.id, reason })
  await chief.call(restoreMember, { memberId: ann.id }, newIdempotencyKey())
  expect(await tablesOf(ann)).toEqual(Object.keys(tables))
})

test('followers and favourites of a merged thread go to the other, also after an undo', async () => {
  const [source, stays] = [await aTopic(mei, tagId), await aTopic(mei, tagId)]
  await tom.call(addFollow, { of: 'topic', id: source })
  await tom.call(addFavourite, { topicId: source })
  await bo.call(setLevel, { of: 'topic', id: source, level: 'watching' })
  await bo.call(setLevel, { of: 'topic', id: stays, level: 'muted' })
  await aComment(tom, stays)
  await chief.call(mergeTopics, { topicIds: [source], to: stays })
  expect([await levelOf(tom, stays), await levelOf(bo, stays)]).toEqual(['watching', 'muted'])
  expect((await tom.call(myThread, { topicId: stays })).isFavourite).toBe(true)
  expect((await tom.call(followList, { of: 'topic' })).followed.map(({ id }) => id)).toEqual([stays])
  const [{ id: batchId } = { id: '' }] = (await chief.call(batches, {})).rows
  await chief.call(undoBatch, { batchId })
  expect([await levelOf(tom, source), await levelOf(bo, source)]).toEqual(['watching', 'watching'])
})

test('a purged thread leaves no favourites, likes or notifications', async () => {
  const topicId = await aTopic(mei, tagId)
  const commentId = await aComment(tom, topicId)
  const replyId = await aReply(bo, commentId)
  await bo.call(addFollow, { of: 'topic', id: topicId })
  await bo.call(addFavourite, { topicId })
  for (const post of [
    { kind: 'topic', id: topicId },
    { kind: 'comment', id: commentId },
  ] as const)
    await bo.call(addLike, post)
  await mei.call(addLike, { kind: 'reply', id: replyId })
  await tallies.write(forum.database)
  await chief.call(removeTopicAsStaff, { topicId, reason })
  await chief.call(purgeTopic, { topicId, reason })
  await tallies.write(forum.database)
  const { rows } = await sql`
    select 'following' from follow where of = 'topic' and of_id = ${topicId} union all select 'favourite' from favourite where topic_id = ${topicId}
    union all select 'notification' from notification where topic_id = ${topicId}
    union all select 'post_like' from post_like where (post_kind, post_id) in (('topic', ${topicId}::bigint), ('comment', ${commentId}), ('reply', ${replyId}))`.execute(
    forum.database.app,
  )
  expect(rows).toEqual([])
  expect((await mei.call(notificationList, {})).total).toBe(0)
})
