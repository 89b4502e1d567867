import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { features } from '#apps/server/features.ts'
import { refusal } from '#base/contract.ts'
import { openDatabase, transact, type Db } from '#base/server/database/database.ts'
import type { Feature } from '#base/server/feature.ts'
import type { Member } from '#base/server/http/route.ts'
import type { Moments } from '#base/server/moments.ts'
import { threadPart } from '#base/server/thread-part.ts'
import { aForum } from '#base/testing/forum.ts'
import { partErrors, partsInput, partsView, type ThreadPart } from '#base/thread-part.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { addComment } from '#comment/contract.ts'
import { askQuestion } from '#question/contract.ts'
import { ask } from '#question/server/ask.ts'
import { routes as questionRoutes } from '#question/server/routes.ts'
import { aList } from '#sensitive-word/testing/factories.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { publishTopic } from '#topic/contract.ts'
import { partsOf } from '#topic/server/parts.ts'
import { publish } from '#topic/server/publish.ts'
import { routes as topicRoutes } from '#topic/server/routes.ts'
import { markdown, show } from '#topic/server/thread.ts'
import * as topics from '#topic/server/topic.ts'
import * as posts from '#post/server/post.ts'
import { says } from '#writing/testing/factories.ts'

const NoLeaves = refusal('tea.noLeaves', { field: 'parts.tea.leaf' })
const teaPart = {
  name: 'tea',
  input: z.object({ leaf: z.string().min(1), cups: z.array(z.string()).min(2) }),
  view: z.object({ leaf: z.string(), title: z.string() }),
  errors: [NoLeaves],
} as const satisfies ThreadPart
const added = { name: 'steam', view: z.boolean() } as const satisfies ThreadPart

// The part lies in a table of this file alone.
const done: string[] = []
const took = (name: keyof Moments) => (_: Db, about: unknown) => Promise.resolve(void done.push(`${name} ${JSON.stringify(about)}`))
const tea: Feature = {
  name: 'tea',
  moments: {
    postsPublished: took('postsPublished'),
    postsUnpublished: took('postsUnpublished'),
    postsMoved: took('postsMoved'),
    threadLocked: took('threadLocked'),
    threadWithdrawn: took('threadWithdrawn'),
    postErased: took('postErased'),
  },
  postReferences: { 'tea.topic_id': { erased: 'delete' } },
  threadPart: threadPart(teaPart, {
    texts: ({ leaf }) => ({ leaf }),
    requiresKey: ({ leaf }) => leaf === 'gold',
    async publish(tx, author, { id, kind, isPending, tagId: of }, { leaf }) {
      if (of !== tagId) throw new Error('The thread lies in another tag')
      if (leaf === 'none') throw NoLeaves()
      await sql`insert into tea values (${id}, ${leaf})`.execute(tx)
      done.push(`${leaf} by ${author.id} in a ${kind}${isPending ? ', pending' : ''}`)
    },
    source: sql<{ leaf: string }>`(select to_jsonb(tea) - 'topic_id' from tea where tea.topic_id = topic.id)`,
    async view(db, { leaf }, topicId) {
      const { title } = await db.selectFrom('topic').select('title').where('id', '=', topicId).executeTakeFirstOrThrow()
      return { leaf, title }
    },
    markdown: async (_, topicId) => [{ type: 'paragraph', content: [{ type: 'text', text: `[tea of ${topicId}]` }] }],
  }),
}

const forum = await aForum()
const tagId = await aTag(forum.database)
const mei = asMember((await forum.member()).id)
const chief = await aStaffer(forum)
await aList(chief, 'refuse', 'gribble')
await aList(chief, 'replace', 'snark')
await aList(chief, 'review', 'boojum')
const owner = new pg.Client({ connectionString: forum.ownerUrl })
await owner.connect()
await owner.query('create table tea (topic_id bigint primary key, leaf text); grant all on tea to public')
await owner.end()
const program = openDatabase(addressesOf(forum.ownerUrl), { features: [...features, tea], size: 4, onLost: () => undefined })
afterAll(() => program.close())
beforeEach(() => {
  done.length = 0
})

function asMember(id: string): Member {
  return { id, sessionId: '', audience: '', may: () => true, where: () => ({ except: [] }) }
}

function write(parts: object, title = 'Of tea', author = mei): Promise<string> {
  const draft = { tagId, title, body: says('In three cups.'), parts: parts as never }
  return transact(program, async (tx) => (await publish(tx, author, draft)).topicId)
}

test('publishing takes the parts of the list, each checked by its own schema, and no other', () => {
  const input = partsInput([teaPart, added])
  const check = (parts: object) => input.safeParse(parts).error?.issues.map(({ path, code }) => [path.join('.'), code]) ?? []
  expect(check({})).toEqual([])
  expect(check({ tea: { leaf: 'oolong', cups: ['one', 'two'] } })).toEqual([])
  expect(check({ tea: { leaf: '', cups: [] } })).toEqual([
    ['tea.leaf', 'too_small'],
    ['tea.cups', 'too_small'],
  ])
  expect(check({ steam: true, milk: {} })).toEqual([['', 'unrecognized_keys']])
  expect(Object.keys(partsView([teaPart, added]).shape)).toEqual(['tea', 'steam'])
  expect(partErrors([teaPart, added])).toEqual([NoLeaves])
})

test('an unknown part is refused over HTTP, and so is one for reading only', async () => {
  const author = await forum.member()
  for (const parts of [{ milk: {} }, { redEnvelope: true }]) {
    const input = { tagId, title: 'With milk', body: says('And sugar.'), parts: parts as never }
    expect(await author.tryCall(publishTopic, input)).toMatchObject({ status: 422, body: { error: { parts: expect.any(String) } } })
  }
})

test('a part comes with its thread, and every reader of the thread sees it', async () => {
  const topicId = await write({ tea: { leaf: 'oolong' } })
  expect(done).toEqual([`oolong by ${mei.id} in a topic`, expect.stringMatching(/^postsPublished .*"kind":"topic"/)])
  expect((await show(program.app, mei, topicId)).parts).toEqual({ tea: { leaf: 'oolong', title: 'Of tea' } })
  expect(await partsOf(program.app, topicId)).toEqual({ tea: { leaf: 'oolong', title: 'Of tea' } })
  expect((await markdown(program.app, mei, topicId)).markdown).toContain(`tea of ${topicId}`)
  expect((await show(program.app, mei, await write({}, 'Of water'))).parts).toEqual({})
})

test('a question takes it, too; a refusal of its feature undoes the thread', async () => {
  const asked = (leaf: string) => ({
    tagId,
    tagIds: [],
    title: `Which ${leaf}`,
    body: says('For three.'),
    parts: { tea: { leaf } } as never,
  })
  await transact(program, (tx) => ask(tx, mei, asked('green')))
  expect(done[0]).toBe(`green by ${mei.id} in a question`)
  await expect(transact(program, (tx) => ask(tx, mei, asked('none')))).rejects.toHaveProperty('kind', NoLeaves)
  expect(await program.app.selectFrom('topic').select('id').where('title', '=', 'Which none').execute()).toEqual([])
})

test('a feature below follows its thread by the moments: locked, moved, removed and restored', async () => {
  const topicId = await write({ tea: { leaf: 'white' } }, 'To be followed')
  done.length = 0
  const change = (work: (tx: Db, thread: posts.Thread) => Promise<unknown>) =>
    transact(program, async (tx) => work(tx, await posts.lockAnyThread(tx, topicId)))
  await change((tx, thread) => topics.updateFlags(tx, thread, { takesComments: false }))
  await change((tx, thread) => topics.changeKind(tx, thread, 'question'))
  await change((tx, thread) => posts.takeDown(tx, [posts.openingOf(thread)], { by: 'staff', notifies: false }))
  await change((tx, thread) => posts.putBack(tx, [posts.openingOf(thread)]))
  const opening = `[{"kind":"topic","id":"${topicId}","authorId":"${mei.id}","topicId":"${topicId}"}]`
  expect(done).toEqual([
    `threadLocked {"topicId":"${topicId}","isLocked":true}`,
    `postsMoved {"posts":${opening},"to":{"topicId":"${topicId}","kind":"question","tagId":"${tagId}"}}`,
    `postsUnpublished ${opening}`,
    `postsPublished ${opening}`,
  ])
})

async function aQuestion(leaf: string, parts: object): Promise<string> {
  const draft = { tagId, tagIds: [], title: `Which ${leaf} is it`, body: says(`Said of ${leaf}.`), parts: parts as never }
  const { questionId } = await transact(program, (tx) => ask(tx, mei, draft))
  await (await forum.member()).call(addComment, { topicId: questionId, body: says(`It is the ${leaf} of Fujian.`) })
  done.length = 0
  return questionId
}

const teaOf = async (topicId: string) =>
  (await sql<{ leaf: string }>`select leaf from tea where topic_id = ${topicId}`.execute(program.app)).rows

test('a withdrawn question shows no part, and shows it again when it is restored', async () => {
  const topicId = await aQuestion('black', { tea: { leaf: 'black' } })
  const change = (work: (tx: Db, thread: posts.Thread) => Promise<unknown>) =>
    transact(program, async (tx) => work(tx, await posts.lockAnyThread(tx, topicId)))
  await change(posts.withdraw)
  expect((await show(program.app, mei, topicId)).parts).toEqual({})
  expect(await partsOf(program.app, topicId)).toEqual({})
  expect((await markdown(program.app, mei, topicId)).markdown).not.toContain('tea of')
  await change(posts.unwithdraw)
  expect((await show(program.app, mei, topicId)).parts).toHaveProperty('tea.leaf', 'black')
  expect(done).toEqual([
    `threadWithdrawn {"topicId":"${topicId}","isWithdrawn":true}`,
    `threadWithdrawn {"topicId":"${topicId}","isWithdrawn":false}`,
  ])
})

test('features erase their part of an answered question when its asker leaves with their posts', async () => {
  const topicId = await aQuestion('yellow', { tea: { leaf: 'yellow' } })
  await transact(program, (tx) => posts.eraseWithAuthor(tx, [{ kind: 'topic', id: topicId }]))
  expect(done.slice(0, 2)).toEqual([
    `threadWithdrawn {"topicId":"${topicId}","isWithdrawn":true}`,
    `postErased {"kind":"topic","id":"${topicId}","withReplies":false,"keepsThread":true}`,
  ])
  expect(await teaOf(topicId)).toEqual([])
  const kept = sql`select (select count(*) > 0 from topic_read_position where topic_id = ${topicId}) as places,
    (select count(*) > 0 from topic_word where topic_id = ${topicId}) as words, (select count(*)::int from topic_revision where topic_id = ${topicId}) as versions`
  expect((await kept.execute(program.app)).rows).toEqual([{ places: true, words: true, versions: 0 }])
})

describe('the texts of a part are checked like the body', () => {
  const held = async (topicId: string) =>
    (await program.app.selectFrom('topic').select('status').where('id', '=', topicId).executeTakeFirstOrThrow()).status

  test('words that are refused or masked are refused at their field, and words to be reviewed hold the thread', async () => {
    for (const cup of ['gribble', 'snark'])
      await expect(write({ tea: { leaf: `a ${cup}` } }, `Of a ${cup === 'snark' ? 'cup' : 'mug'}`)).rejects.toHaveProperty(
        'kind.field',
        'parts.tea.leaf',
      )
    expect(await held(await write({ tea: { leaf: 'red' } }, 'Of red tea'))).toBe('published')
    const reviewed = { ...mei, may: (right: string) => right !== 'topic.unreviewed' }
    expect(await held(await write({ tea: { leaf: 'boojum' } }, 'Of a leaf', reviewed))).toBe('pending')
    expect(done.at(-1)).toBe(`boojum by ${mei.id} in a topic, pending`)
  })
})

test('a part can require an idempotency key of topics and questions', () => {
  const precious = { tea: { leaf: 'gold' } }
  for (const { endpoint, requiresIdempotencyKey: requires } of [...topicRoutes, ...questionRoutes]) {
    if (endpoint.path !== publishTopic.path && endpoint.path !== askQuestion.path) continue
    const isRequired = (parts?: object) => (requires as (input: object, db: Db) => boolean)({ parts }, program.app)
    expect([isRequired(), isRequired({}), isRequired({ tea: { leaf: 'red' } }), isRequired(precious)]).toEqual([false, false, false, true])
  }
})
