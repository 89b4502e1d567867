import { sql } from 'kysely'
import { features } from '#apps/server/features.ts'
import { byColumn } from '#base/server/feature.ts'
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
import { withOwner } from '#importer/server/owner.ts'
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

// Every column of a member whose rows go on with another one, or go.
const columns = features
  .flatMap(({ memberColumns }) => byColumn(memberColumns ?? {}))
  .filter(({ merge }) => ['move', 'delete', 'moment'].includes(merge))

/** The columns with rows of a member, as the owner sees them: the program may not read every table. */
function columnsOf({ id }: Person): Promise<string[]> {
  return withOwner(forum, async ({ app }) => {
    const found: string[] = []
    for (const { name, table, column } of columns) {
      const { rows } = await sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${id} limit 1`.execute(app)
      if (rows.length > 0) found.push(name)
    }
    return found
  })
}

const merged = ['favourite', 'favourite_folder', 'follow', 'member_block', 'notification'].map((table) => `${table}.member_id`)

test('a merged account keeps nothing, and the other account has all of it', async () => {
  const old = await forum.member()
  const topicId = await busy(old)
  const all = await columnsOf(old)
  expect(all).toEqual(expect.arrayContaining(['follow_progress.member_id', ...merged]))
  await chief.call(mergeMembers, { memberId: old.id, account: old.account, into: bo.account, reason })
  await resume(forum.database)
  await tallies.write(forum.database)
  expect(await columnsOf(old)).toEqual([])
  expect(await levelOf(bo, topicId)).toBe('watching')
  expect(await columnsOf(bo)).toEqual(expect.arrayContaining(merged))
})

test('an ended account can be restored, so its likes, follows and votes stay', async () => {
  const ann = await forum.member()
  await busy(ann)
  const before = await columnsOf(ann)
  await chief.call(cancelMember, { memberId: ann.id, reason })
  await chief.call(restoreMember, { memberId: ann.id }, newIdempotencyKey())
  expect(await columnsOf(ann)).toEqual(before)
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

test('a purged thread leaves no notifications', async () => {
  const topicId = await aTopic(mei, tagId)
  const commentId = await aComment(tom, topicId)
  await aReply(bo, commentId)
  await bo.call(addLike, { kind: 'topic', id: topicId })
  await tallies.write(forum.database)
  expect((await mei.call(notificationList, {})).total).toBeGreaterThan(0)
  await chief.call(removeTopicAsStaff, { topicId, reason })
  await chief.call(purgeTopic, { topicId, reason })
  expect((await mei.call(notificationList, {})).total).toBe(0)
})
