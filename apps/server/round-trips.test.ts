import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { withStatementLog } from '#base/testing/statement-log.ts'
import { addComment, addReply } from '#comment/contract.ts'
import { buyPart } from '#hidden-part/contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import { agreeToTerms } from '#help/contract.ts'
import { publishTerms } from '#help/staff-contract.ts'
import { changeMessageSettings, send } from '#message/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'
import { documentWith, says } from '#writing/testing/factories.ts'

const store = withStatementLog(await freshDatabase())
const forum = await aForum({ fresh: async () => store })
const [mei, tom] = [await forum.member(), await forum.member()]
const tagId = await aTag(forum.database)
const topicId = await aTopic(mei, tagId)
let keys = 0
const aKey = () => ({ 'idempotency-key': `a-key-for-number-${++keys}` })
const { commentId } = await tom.call(addComment, { topicId, body: says('first') }, aKey())
const { replyId } = await mei.call(addReply, { commentId, body: says('first') }, aKey())

// The viewer; the post and its effects, sent together with the `begin`; and the statements sent with the commit.
const atMost = [
  'select "member"."id"',
  'with place as',
  '/* with the commit */ select grant_rewards',
  '/* with the commit */ with post as',
  '/* with the commit */ insert into idempotency_key',
  '/* with the commit */ insert into invalidation',
]

// The search reads recent writes in transactions of its own.
const notOurs = /search|advisory|isShown|^begin$|^commit$/
const tagsOfSearch = /"search(Counts)?"/

async function statementsOf(action: () => Promise<unknown>): Promise<string[]> {
  store.statements.length = 0
  await action()
  const own = store.statements.filter(({ text, values }) => !notOurs.test(text) && !tagsOfSearch.test(JSON.stringify(values)))
  return own.map(({ text }) => text.replaceAll(/\s+/g, ' ').trim())
}

const isAtMost = (statements: readonly string[], most: readonly string[] = atMost) =>
  expect(statements.map((text) => most.find((beginning) => text.startsWith(beginning)) ?? text)).toEqual(most)

test('a comment, and one that quotes, is three trips to the database: the session, all of it, and the commit', async () => {
  isAtMost(await statementsOf(() => tom.call(addComment, { topicId, body: says('One') }, aKey())))
  isAtMost(await statementsOf(() => mei.call(addComment, { topicId, body: says('Two'), quotes: commentId }, aKey())))
})

test('a reply, and one that answers another, are three trips, too', async () => {
  isAtMost(await statementsOf(() => tom.call(addReply, { commentId, body: says('One') }, aKey())))
  isAtMost(await statementsOf(() => tom.call(addReply, { commentId, body: says('Two'), answers: replyId }, aKey())))
})

test('checks for repeats and sensitive words take no further trip', async () => {
  await transact(store.database, (tx) => applySettings(tx, { duplicateWindowHours: 24, reviewComments: 'words' }))
  await tom.call(addComment, { topicId, body: says('What is said for the first time anywhere') }, aKey())
  isAtMost(await statementsOf(() => mei.call(addComment, { topicId, body: says('And what nobody else said before her') }, aKey())))
})

test('consent to the newest terms is not asked again', async () => {
  const chief = await aStaffer(forum)
  const { termsId } = await chief.call(publishTerms, { zh: '请友善。', en: 'Be kind.', asksAgain: true })
  await tom.call(agreeToTerms, { termsId })
  const comment = (text: string) => statementsOf(() => tom.call(addComment, { topicId, body: says(text) }, aKey()))
  await comment('Once they are asked of')
  isAtMost(await comment('And then they are known to have agreed'))
})

test('a hidden part is bought in two trips after the session: the decisions, and the payment with its commit; money asks for the age too', async () => {
  await transact(store.database, (tx) => applySettings(tx, { allowCash: true }))
  await endow(store.database, tom.id, 100)
  await endow(store.database, tom.id, 100, 'cny')
  const body = documentWith(hides('points', '5', 'tea'), hides('balance', '6', 'cake'))
  const { segments } = await mei.call(thread, { topicId: await aTopic(mei, tagId, { body }) })
  const [points = '', balance = ''] = partIds(segments)
  const buy = (partId: string, price: string) => statementsOf(() => tom.call(buyPart, { partId, price }, aKey()))
  const most = [
    'select "member"."id"',
    '/* with the commit */ select hidden.lock_for_share',
    'select thread_id, found.author_id',
    '/* with the commit */ select hidden.record_unlock',
    '/* with the commit */ with candidate as',
    '/* with the commit */ insert into idempotency_key',
    '/* with the commit */ insert into invalidation',
  ]
  isAtMost(await buy(points, '5'), most)
  isAtMost(await buy(balance, '6'), most.toSpliced(3, 0, 'select "birthday" from "real_name"'))
})

test('a message is three trips, too: the session, the relation of the two, and the message with its commit', async () => {
  await mei.call(changeMessageSettings, { from: 'everybody' })
  const write = () => tom.call(send, { userId: mei.id, body: says('Good morning'), key: randomUUID() })
  await write()
  const texts = await statementsOf(write)
  expect(texts.filter((text) => !text.startsWith('/* with the commit */'))).toMatchObject([
    expect.stringMatching(/^select "member"."id"/),
    expect.stringMatching(/^select exists \(select from member/),
  ])
  expect(texts.filter((text) => text.startsWith('/* with the commit */')).map((text) => text.slice(22, 44))).toEqual([
    "select set_config('app",
    'with written as ( inse',
    'with noted as ( insert',
    'insert into invalidati',
  ])
})
