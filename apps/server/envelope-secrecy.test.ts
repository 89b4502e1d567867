import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, renderedFrontend, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { addComment, listComments } from '#comment/contract.ts'
import { addFollow, gatherNews } from '#follow/contract.ts'
import { askQuestion } from '#question/contract.ts'
import { envelope, openEnvelope } from '#red-envelope/contract.ts'
import { envelopeOf, letEnd, payClaims } from '#red-envelope/testing/factories.ts'
import { search } from '#search/contract.ts'
import { catchUp } from '#search/server/indexer.ts'
import { postgresEngine } from '#search/server/postgres/engine.ts'
import { aTag } from '#tag/testing/factories.ts'
import { editTopic, thread, topicHistory, topicMarkdown } from '#topic/contract.ts'
import { gives } from '#topic/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

// A unique greeting and a unique amount.
const greeting = 'zqgreeting'
const amount = '7919'
let forum: Forum
let mei: Person
let tom: Person
let tagId = ''
let topicId = ''
let questionId = ''
let envelopeId = ''

beforeAll(async () => {
  forum = await aForum({ openFrontend: renderedFrontend })
  await transact(forum.database, (tx) => applySettings(tx, { topicPoints: 0, questionPoints: 0, commentPoints: 0 }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
  ;[mei, tom] = [await forum.member(), await forum.member()]
  tagId = await aTag(forum.database)
  await endow(forum.database, mei.id, 50_000)
  await tom.call(addFollow, { of: 'member', id: mei.id })
  const wish = { envelopeKind: 'random', envelopePoints: amount, envelopeQuantity: 3, envelopeGreeting: greeting } as const
  topicId = (await gives(mei, tagId, wish)).body.topicId
  envelopeId = await envelopeOf(forum, topicId)
  const draft = { tagId, title: 'Which tea, and for whom?', body: says('I wonder which one.'), ...wish }
  questionId = (await mei.call(askQuestion, draft, newIdempotencyKey())).questionId
  await mei.call(editTopic, { topicId, title: 'A topic with more', body: says('Tea for all of you, and more.') })
  const { commentId } = await tom.call(addComment, { topicId, body: says('Thank you.') })
  await tom.call(openEnvelope, { envelopeId }, newIdempotencyKey())
  await mei.call(addComment, { topicId, body: says('You are welcome.'), quotes: commentId })
  await tom.call(gatherNews, {})
  await payClaims(forum)
  await catchUp(forum.database, postgresEngine)
})

const pages = () => [
  `/thread?topicId=${topicId}`,
  `/question?questionId=${questionId}`,
  '/index',
  '/askList',
  `/user/control/home?userId=${mei.id}`,
  `/search?keyword=${greeting}`,
]
const files = () => [
  '/feed',
  `/feed?tagId=${tagId}`,
  `/feed?userId=${mei.id}`,
  '/sitemap.xml',
  '/sitemap/pages.xml',
  '/sitemap/topics-1.xml.gz',
  '/robots.txt',
  '/llms.txt',
  '/openapi.json',
]

async function read(url: string): Promise<string> {
  const answer = await forum.app.inject({ url, remoteAddress: '10.7.7.7' })
  return url.endsWith('.gz') ? gunzipSync(answer.rawPayload).toString() : answer.body
}

/** Without the query, which a page repeats. */
const saidIn = async (url: string) => (await read(url)).replaceAll(`keyword=${greeting}`, '')

test('no feed, sitemap or cached page shows the text or amount of a red envelope', async () => {
  for (const url of [...files(), ...pages().slice(0, -1)])
    expect(await saidIn(url), url).not.toMatch(new RegExp(`${greeting}|\\b${amount}\\b`))
  expect(await read(`/thread?topicId=${topicId}`)).toContain('A topic with more')
})

test('no stored data of a post has it: no text of the search, no quote, no former version, no notification, no e-mail', async () => {
  const guest = forum.visitor()
  const responses = JSON.stringify([
    await guest.call(thread, { topicId }),
    await guest.call(topicHistory, { topicId }),
    await guest.call(listComments, { topicId }),
    await guest.call(search, { keyword: greeting }),
  ])
  expect(responses.replaceAll(`"${greeting}"`, '')).not.toMatch(new RegExp(`${greeting}|\\b${amount}\\b`))
  expect(await tablesWith(greeting)).toEqual(['public.red_envelope'])
})

test('a copy of the text says that there is one, and no more, while it is open and after', async () => {
  const markdown = async (id: string) => (await forum.visitor().call(topicMarkdown, { topicId: id })).markdown
  const pattern = /\n\n\\?\[red envelope: random\\?\]$/
  expect(await markdown(topicId)).toMatch(pattern)
  expect(await markdown(questionId)).toMatch(pattern)
  expect(await markdown(topicId)).not.toMatch(new RegExp(`${greeting}|${amount}`))
  await letEnd(forum, envelopeId)
  expect(await markdown(topicId)).toMatch(pattern)
  expect(await tom.call(envelope, { envelopeId })).toMatchObject({ greeting, state: 'returned' })
  const { body } = await gives(mei, tagId, { envelopeKind: 'random', envelopePoints: '1', envelopeQuantity: 1 })
  expect(await markdown(body.topicId)).toMatch(pattern)
})

/** Every table with this word anywhere in a row. */
async function tablesWith(word: string): Promise<string[]> {
  const owner = new pg.Client({ connectionString: forum.ownerUrl })
  await owner.connect()
  try {
    const { rows: tables } = await owner.query<{ name: string }>(`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`)
    const found: string[] = []
    for (const { name } of tables) {
      const { rows } = await owner.query(`select from ${name} as its where (its.*)::text like $1 limit 1`, [`%${word}%`])
      if (rows.length > 0) found.push(name)
    }
    return found
  } finally {
    await owner.end()
  }
}
