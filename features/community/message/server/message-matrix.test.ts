import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#apps/server/features.ts'
import type { Endpoint, RawInput } from '#base/contract.ts'
import { queriesFor } from '#base/testing/crawl.ts'
import { aForum, renderedFrontend, type Forum, type Person } from '#base/testing/forum.ts'
import { saveDraft } from '#draft/contract.ts'
import { block } from '#follow/contract.ts'
import * as contract from '#message/contract.ts'
import { aMessage, saidBetween, talking } from '#message/testing/factories.ts'
import { staffRights } from '#staff/right-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

// A search for the one word must not return the other.
const [word, canary] = ['zqspoken', 'zqwhisper']

let forum: Forum
let [mei, tom, bo, ann, disabled] = [] as unknown as [Person, Person, Person, Person, Person]
let messageId: string

beforeAll(async () => {
  forum = await aForum({ openFrontend: renderedFrontend })
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
  ;[ann, disabled] = [await forum.member(), await forum.member()]
  for (const other of [tom, ann, disabled]) await talking(mei, other)
  messageId = await aMessage(tom, mei, `${word} ${canary}`)
  await mei.call(block, { userId: ann.id, way: 'blocked' })
  await sql`update member set deactivated_at = now(), deactivated_as = 'disabled' where id = ${disabled.id}`.execute(forum.database.app)
})

const draft = (userId: string) => ({ userId, body: says('hello'), key: randomUUID() })

describe('each call', () => {
  async function answers<E extends Endpoint>(call: E, input: RawInput<E>): Promise<Record<string, number>> {
    const who = { visitor: forum.visitor(), third: bo, blocked: ann, disabled, receiver: mei }
    const all = Object.entries(who).map(async ([name, one]) => [name, (await one.tryCall(call, input)).status] as const)
    return Object.fromEntries(await Promise.all(all))
  }
  const out = { visitor: 401, disabled: 401 }

  test('is for members, and answers with their own messages only', async () => {
    expect(await answers(contract.conversations, {})).toEqual({ ...out, third: 200, blocked: 200, receiver: 200 })
    expect(await answers(contract.conversation, { userId: tom.id })).toEqual({ ...out, third: 200, blocked: 200, receiver: 200 })
    expect(await answers(contract.messageSettings, {})).toEqual({ ...out, third: 200, blocked: 200, receiver: 200 })
    expect(await answers(contract.changeMessageSettings, { from: 'everybody' })).toEqual({
      ...out,
      third: 200,
      blocked: 200,
      receiver: 200,
    })
    expect(await answers(contract.markRead, { userId: tom.id, upTo: '1' })).toEqual({ ...out, third: 200, blocked: 200, receiver: 200 })
    expect(await answers(contract.accept, { userId: tom.id })).toEqual({ ...out, third: 422, blocked: 422, receiver: 422 })
  })

  test('that names a message of others finds none', async () => {
    for (const who of [bo, ann, forum.visitor()])
      for (const userId of [tom.id, mei.id])
        expect((await who.tryCall(contract.remove, { userId, messageId })).status).toBe(who === bo || who === ann ? 404 : 401)
    expect(await answers(contract.report, { messageId, reason: 'Spam' })).toMatchObject({ ...out, third: 404, blocked: 404, receiver: 200 })
    for (const more of [{ before: messageId }, { after: '1' }]) {
      const { messages } = await bo.call(contract.conversation, { userId: tom.id, ...more })
      expect(messages).toEqual([])
    }
  })

  test('that sends depends on blocks and on whether the receiver is there', async () => {
    expect((await ann.tryCall(contract.send, draft(mei.id))).status).toBe(422)
    expect((await mei.tryCall(contract.send, draft(ann.id))).status).toBe(422)
    expect((await mei.tryCall(contract.send, draft(disabled.id))).status).toBe(404)
    expect((await forum.visitor().tryCall(contract.send, draft(mei.id))).status).toBe(401)
    expect(await saidBetween(mei, ann)).toEqual(['Good morning'])
  })
})

describe('the text of a message', () => {
  test('is in no answer to a third member or to staff with every right, in search, or on any page', async () => {
    await mei.call(saveDraft, {
      place: `message ${tom.id}`,
      content: { text: { view: 'rich', doc: says(`${canary} unsent`) }, fields: {} },
      writer: 'a-browser-of-hers',
    })
    const chief = await aStaffer(forum, [...staffRights])
    const known = {
      userId: [mei.id, tom.id],
      memberId: [mei.id, tom.id],
      messageId: [messageId],
      before: [messageId],
      after: ['1'],
      reportId: ['1'],
      search: [word],
      q: [word],
      keyword: [word],
      place: [`message ${tom.id}`],
      about: ['messageReport 1'],
    }
    const leaks: string[] = []
    for (const { endpoint } of routes.filter((route) => route.endpoint.method === 'GET'))
      for (const who of endpoint.path.startsWith('/admin/') ? [chief] : [bo, forum.visitor()])
        for (const query of queriesFor(endpoint, known).slice(0, 30)) {
          const url = `/api${endpoint.path}?${query}`
          const { body } = await forum.app.inject({ url, remoteAddress: '127.0.0.1', headers: who.headers('GET') })
          if (body.includes(canary)) leaks.push(`${endpoint.path}?${query}`)
        }
    expect(leaks).toEqual([])
  })

  test('is in no table that the program may read without naming the member', async () => {
    const { rows: tables } = await sql<{ name: string }>`
      select quote_ident(nspname) || '.' || quote_ident(relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'v', 'm') and nspname in ('public', 'ledger', 'hidden') and has_table_privilege(pg_class.oid, 'select')`.execute(
      forum.database.reader,
    )
    const found: string[] = []
    for (const { name } of tables) {
      const { rows } = await sql`select from ${sql.raw(name)} as its where to_jsonb(its)::text like ${`%${canary}%`}`.execute(
        forum.database.app,
      )
      if (rows.length > 0) found.push(name)
    }
    // Only its author's own endpoint returns a draft.
    expect(found).toEqual(['public.draft'])
  })
})
