import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '#apps/server/features.ts'
import { ask, conversation, conversations } from '#assistant/contract.ts'
import { aProvider, streams, withModel, type Provider } from '#assistant/testing/factories.ts'
import { summarise, translate } from '#assistant/generated-contract.ts'
import { askTopic } from '#content/contract.ts'
import { queriesFor } from '#base/testing/crawl.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { transact, type Db } from '#base/server/database/database.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { removeRemark } from '#comment/contract.ts'
import { saveDraft } from '#draft/contract.ts'
import { block } from '#follow/contract.ts'
import * as hidden from '#hidden-part/contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import { aMessage, talking } from '#message/testing/factories.ts'
import { asMember } from '#message/server/message.ts'
import { locks } from '#base/rich-text/document.ts'
import { withSandbox } from '#payment/testing/factories.ts'
import { settledIn } from '#search/testing/engine-suite.ts'
import { staffRights } from '#staff/right-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import * as topic from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'
import { documentWith, paragraph, says } from '#writing/testing/factories.ts'

let forum: Forum
let provider: Provider
let mei: Person
let tom: Person
let tagId: string

beforeAll(async () => {
  forum = await aForum()
  await withSandbox(forum)
  tagId = await aTag(forum.database)
  provider = await aProvider(() => ({ says: ['Well.'] }))
  await withModel(forum.database, provider)
})

beforeEach(async () => {
  provider.requests.length = 0
  provider.does(() => ({ says: ['Well.'] }))
  mei = await forum.member()
  tom = await forum.member()
})

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

const tables = ['assistant_conversation', 'assistant_turn'] as const
const seenIn = async (db: Db) =>
  (await Promise.all(tables.map((table) => db.selectFrom(table).select('id').execute()))).map((rows) => rows.length)

describe('a conversation', () => {
  test('is visible in the database only as its member', async () => {
    await streams(mei, ask, { prompt: 'A secret question' })
    const { app, reader } = forum.database
    for (const db of [app, reader]) {
      expect(await seenIn(db)).toEqual([0, 0])
      expect(await asMember(db, tom.id, seenIn)).toEqual([0, 0])
      expect(await asMember(db, mei.id, seenIn)).toEqual([1, 1])
    }
    const { id: turnId } = await asMember(app, mei.id, (as) => as.selectFrom('assistant_turn').select('id').executeTakeFirstOrThrow())
    const change = (as: Db) => as.updateTable('assistant_turn').set({ answer: 'x' }).where('id', '=', turnId).executeTakeFirst()
    expect((await asMember(app, tom.id, change)).numUpdatedRows).toBe(0n)
    const { id: its } = await asMember(app, mei.id, (as) => as.selectFrom('assistant_conversation').select('id').executeTakeFirstOrThrow())
    const writes = (as: Db) => as.insertInto('assistant_turn').values({ conversation_id: its, prompt: 'x' }).execute()
    await expect(asMember(app, tom.id, writes)).rejects.toThrow('row-level security')
  })

  test('is in no answer to another member, or to staff with every right', async () => {
    await streams(mei, ask, { prompt: 'zqprompt' })
    const [its] = (await mei.call(conversations, {})).conversations
    const chief = await aStaffer(forum, staffRights)
    const id = its?.id ?? ''
    const known = { conversationId: [id], memberId: [mei.id], userId: [mei.id], id: [id], keyword: ['zqprompt'], q: ['zqprompt'] }
    const leaks: string[] = []
    for (const { endpoint } of routes.filter(({ endpoint: its }) => its.method === 'GET'))
      for (const query of queriesFor(endpoint, known).slice(0, 6)) {
        const who = endpoint.path.startsWith('/admin/') ? chief : tom
        const { body } = await forum.app.inject({
          url: `/api${endpoint.path}?${query}`,
          headers: who.headers('GET'),
          remoteAddress: who.ip,
        })
        if (body.includes('"zqprompt')) leaks.push(endpoint.path)
      }
    expect(leaks).toEqual([])
    expect((await mei.call(conversation, { conversationId: id })).turns).toHaveLength(1)
  })

  test('goes along with a merge, with its cost, and is purged when it expires', async () => {
    await streams(mei, ask, { prompt: 'Mine' })
    await sql`select merge_conversations(${mei.id}::bigint, ${tom.id}::bigint)`.execute(forum.database.app)
    expect((await tom.call(conversations, {})).conversations).toMatchObject([{ title: 'Mine' }])
    expect((await mei.call(conversations, {})).conversations).toEqual([])
    const use = await forum.database.app.selectFrom('assistant_usage').select('id').where('member_id', '=', tom.id).execute()
    expect(use).toHaveLength(1)
    const forget = (since: string) => sql`select delete_conversations(${since}::timestamptz, 100)`.execute(forum.database.app)
    await forget('2000-01-01')
    expect((await tom.call(conversations, {})).conversations).toHaveLength(1)
    await forget('2100-01-01')
    expect((await tom.call(conversations, {})).conversations).toEqual([])
  })
})

const values = { password: 'zqsesame', comment: '', level: '1', points: '5', balance: '500' }

/** One of each kind of text that no prompt may contain, each a unique word. */
async function plant() {
  values.level = (await mei.call(hidden.hiddenForm, {})).levels[1]?.needs ?? ''
  const parts = locks.map((lock) => hides(lock, values[lock], `zqhidden${lock}`))
  const open = paragraph({ type: 'text', text: 'Oolong is open to all who come.' })
  const topicId = await aTopic(mei, tagId, { title: 'Oolong at dawn', body: documentWith(open, ...parts) })
  await aComment(tom, topicId, { body: says('Oolong, yes. zqshown') })
  const removed = await aComment(tom, topicId, { body: says('Oolong zqremovedcomment') })
  await tom.call(removeRemark, { kind: 'comment', id: removed })
  const blocked = await forum.member()
  const blockedComment = await aComment(blocked, topicId, { body: says('Oolong zqblocked') })
  await aReply(blocked, blockedComment, { body: says('Oolong zqblockedreply') })
  const removedTopicId = await aTopic(mei, tagId, { title: 'Oolong zqremovedtitle', body: says('Oolong zqremovedbody') })
  await mei.call(topic.removeTopic, { topicId: removedTopicId })
  const closed = await aClosedTag(forum.database)
  await closed.admit(mei.id)
  const shut = await aTopic(mei, closed.tagId, { title: 'Oolong zqclosedtitle', body: says('Oolong zqclosedbody') })
  await change({ reviewTopics: 'everybody' })
  const pending = await aTopic(mei, tagId, { title: 'Oolong zqpendingtitle', body: says('Oolong zqpendingbody') })
  await change({ reviewTopics: 'nobody' })
  const questionId = await aTopic(mei, tagId, { title: 'Oolong asks', body: documentWith(open, hides('comment', '', 'zqasks')) })
  await (await aStaffer(forum)).call(askTopic, { topicId: questionId, reason: '' })
  const text = { view: 'rich' as const, doc: says('Oolong zqdraft') }
  await tom.call(saveDraft, { place: 'topic', content: { text, fields: {} }, writer: 'a-browser-of-his' })
  await talking(mei, tom)
  await aMessage(mei, tom, 'Oolong zqmessage')
  await tom.call(block, { userId: blocked.id, way: 'muted' })
  await settledIn(forum.database)
  return { topicId, ids: [topicId, removedTopicId, shut, pending, questionId], closed, shut }
}

/** A model that searches, and reads every id it knows, and more. */
function looksEverywhere(ids: readonly string[]): void {
  const calls = [
    ...['oolong', 'zqhidden', 'zqmessage zqdraft'].map((query) => ({ name: 'search_forum', input: { query } })),
    ...ids.map((topicId) => ({ name: 'read_thread', input: { topicId } })),
  ]
  let next = 0
  provider.does(() => {
    const call = calls[next++]
    return call ? { calls: call } : { says: ['Well.'] }
  })
}

const canaries = () =>
  [...new Set(JSON.stringify(provider.requests).match(/zq[a-z]+/g))].filter(
    (word) => !['zqshown', 'zqhidden', 'zqmessage', 'zqdraft'].includes(word),
  )

describe('no prompt holds', () => {
  test('hidden, private, unapproved, removed, closed or muted posts, for any reader', async () => {
    const { topicId, ids } = await plant()
    const { segments } = await forum.visitor().call(topic.thread, { topicId })
    await tom.call(hidden.unlockPart, { partId: partIds(segments)[0] ?? '', password: values.password })
    await endow(forum.database, tom.id, 5)
    await tom.call(hidden.buyPart, { partId: partIds(segments)[3] ?? '', price: '5' }, { 'idempotency-key': 'a-key-for-a-part-of-it' })
    for (const which of [ids.slice(0, 3), ids.slice(3)]) {
      looksEverywhere(which)
      await streams(tom, ask, { prompt: 'Tell me all of oolong.', topicId })
    }
    for (const id of ids) {
      await tom.tryCall(summarise, { topicId: id })
      await tom.tryCall(translate, { kind: 'topic', postId: id, into: 'zh' })
    }
    expect(JSON.stringify(provider.requests)).toContain('zqshown')
    expect(canaries()).toEqual([])

    // The author, who sees all of it on a page.
    provider.requests.length = 0
    for (const which of [ids.slice(0, 3).toSpliced(2, 1), ids.slice(3)]) {
      looksEverywhere(which)
      await streams(mei, ask, { prompt: 'Tell me all of oolong.', topicId })
    }
    expect(canaries().filter((word) => !['zqblocked', 'zqblockedreply', 'zqclosedtitle', 'zqclosedbody'].includes(word))).toEqual([])
  })

  test('a post that became inaccessible after the answer began', async () => {
    const { closed, shut } = await plant()
    await closed.admit(tom.id)
    const once = { topicId: shut }
    let steps = 0
    provider.does(async () => {
      if (steps++ === 1) {
        await forum.database.app.deleteFrom('role_holding').where('role_id', '=', closed.roleId).where('member_id', '=', tom.id).execute()
        forum.database.invalidations.announce(new Set([`member:${tom.id}`, 'role']))
      }
      return steps < 3 ? { calls: { name: 'read_thread', input: once } } : { says: ['Well.'] }
    })
    await streams(tom, ask, { prompt: 'Read it twice.' })
    const results =
      provider.requests
        .at(-1)
        ?.messages.filter(({ role }) => role === 'tool')
        .map(({ content }) => String(content)) ?? []
    expect(results).toHaveLength(2)
    expect(results[0]).toContain('zqclosedbody')
    expect(results[1]).toBe('Nothing that this reader may see is there.')
  })

  test('names, addresses and contacts that are on no page', async () => {
    const topicId = await aTopic(mei, tagId, { title: 'Oolong at noon', body: says('Oolong.') })
    await aComment(mei, topicId)
    await settledIn(forum.database)
    looksEverywhere([topicId])
    await streams(tom, ask, { prompt: 'Who is who?' })
    const sent = JSON.stringify(provider.requests)
    expect(sent).toContain(mei.account)
    for (const secret of [tom.account, tom.ip, mei.ip, '@example', 'Bearer', tom.pair?.accessToken ?? '-'])
      expect(sent).not.toContain(secret)
  })
})
