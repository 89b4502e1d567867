import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { maxWithoutReauth, maxBulkRows, NoneMatch, TooManyMatch } from '#base/list.ts'
import * as batches from '#batch/contract.ts'
import { resume, step } from '#batch/server/batch.ts'
import { transact } from '#base/server/database/database.ts'
import { counterMismatches } from '#base/testing/counters.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { manyComments } from '#comment/testing/factories.ts'
import * as contract from '#content/contract.ts'
import { commentsForStaff, topicsForStaff } from '#content/list-contract.ts'

import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'

const many = maxWithoutReauth + 7

let forum: Forum
let chief: Staffer
let ann: Person
let lin: Person
let topicId: string
let ids: string[]

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

beforeEach(async () => {
  ann = await forum.member()
  lin = await forum.member()
  topicId = await aTopic(lin, await aTag(forum.database))
  ids = await manyComments(forum.database, ann.id, topicId, many)
})

const removeAll = (by = chief) => by.call(contract.doAtOnce, { action: 'comment.remove', all: { topicId }, reason: 'spam' })
const undo = (batchId: string) => chief.call(batches.undoBatch, { batchId })
const oneStep = (batchId: string) => transact(forum.database, (tx) => step(tx, batchId))
const states = async () => {
  const rows = await forum.database.app
    .selectFrom('comment')
    .select(['id', 'status'])
    .where('topic_id', '=', topicId)
    .orderBy('id')
    .execute()
  return rows.map(({ status }) => status)
}
const removed = async () => (await states()).filter((status) => status === 'deleted').length
const noted = async (action: string) => {
  const abouts = ids.map((id) => `comment ${id}`)
  const rows = await forum.database.app
    .selectFrom('audit_log')
    .select('id')
    .where('action', '=', action)
    .where('about', 'in', abouts)
    .execute()
  return rows.length
}
const batchOf = async (batchId: string): Promise<batches.BatchView | undefined> =>
  (await chief.call(batches.batches, {})).rows.find(({ id }) => id === batchId)

describe('all that match', () => {
  test('are the matches at the time of the action, and no others', async () => {
    const other = await forum.member()
    const [otherComment] = await manyComments(forum.database, other.id, await aTopic(lin, await aTag(forum.database)), 1)
    await chief.call(contract.removeRemarkAsStaff, { kind: 'comment', id: ids[0] ?? '', reason: 'spam' })
    const all = { topicId, author: ann.account, state: 'published' }
    const { batch } = await chief.call(contract.doAtOnce, { action: 'comment.remove', all, reason: 'spam' })
    expect(batch).toMatchObject({ state: 'doing', total: many - 1, done: 0 })
    await resume(forum.database)
    expect(await removed()).toBe(many)
    const { rows } = await chief.call(commentsForStaff, { author: other.id })
    expect(rows).toMatchObject([{ id: otherComment, state: 'published' }])
    expect((await chief.call(auditLog, { about: `batch ${batch.id}` })).rows).toMatchObject([
      { action: 'batch.begin', after: { action: 'comment.remove', count: many - 1, filter: all } },
    ])
  })

  test('are shown with their filter and with their posts', async () => {
    const all = { topicId, author: ann.id, state: 'published' }
    const { batch } = await chief.call(contract.doAtOnce, { action: 'comment.remove', all, reason: 'spam' })
    const called = { zh: ann.account, en: ann.account }
    expect((await batchOf(batch.id))?.filter).toEqual([
      { name: 'state', value: 'published', called: null },
      { name: 'author', value: ann.id, called },
      { name: 'topicId', value: topicId, called: null },
    ])
    const found = await chief.call(commentsForStaff, { batchId: batch.id, size: 100 })
    expect(found.rows.map(({ id }) => id).sort()).toEqual(ids.toSorted())
    expect((await chief.call(topicsForStaff, { batchId: batch.id })).rows).toEqual([])
    const few = await chief.call(contract.doAtOnce, { action: 'comment.restore', ids: ids.slice(0, 2) })
    expect(few.batch.filter).toBeNull()
  })

  test('are refused without a match, and for an unknown filter', async () => {
    const [action, reason] = ['comment.remove', 'spam'] as const
    expect(await chief.isRefused(contract.doAtOnce, { action, reason, all: { topicId, keyword: 'nowhere' } }, NoneMatch)).toBe(true)
    const wrong: Record<string, string>[] = [{ topicId, mark: 'pinned' }, { topicId, state: 'gone' }, { tagged: '1' }]
    for (const all of wrong) expect((await chief.tryCall(contract.doAtOnce, { action, reason, all })).status).toBe(422)
    expect((await chief.tryCall(contract.doAtOnce, { action, reason })).status).toBe(400)
    expect((await chief.tryCall(contract.doAtOnce, { action, reason, all: {} })).status).toBe(400)
    expect((await chief.tryCall(contract.doAtOnce, { action, reason, all: { topicId }, everything: true })).status).toBe(400)
    expect((await chief.tryCall(contract.doAtOnce, { action, reason, all: { topicId, size: '30' } })).status).toBe(400)
    expect((await chief.tryCall(contract.doAtOnce, { action, reason, ids, all: { topicId } })).status).toBe(400)
    expect(await removed()).toBe(0)
  })

  test('are refused above the limit, with their number', async () => {
    ids = await manyComments(forum.database, ann.id, await aTopic(lin, await aTag(forum.database)), maxBulkRows + 1)
    const input = { action: 'comment.remove' as const, all: { author: ann.id }, reason: 'spam' }
    expect(await chief.isRefused(contract.doAtOnce, input, TooManyMatch)).toBe(true)
    const { error } = await chief.tryCall(contract.doAtOnce, input)
    expect(error['all']).toBe('10,058 items match, but you can change at most 10,000 at once. Add filters to narrow the list.')
  })
})

describe('a large batch', () => {
  test('that died half-way is resumed, and no step is done twice', async () => {
    const { batch } = await removeAll()
    expect(await oneStep(batch.id)).toBe(true)
    expect(await batchOf(batch.id)).toMatchObject({ state: 'doing', done: maxWithoutReauth, total: many, canUndo: true })
    const dies = transact(forum.database, async (tx) => {
      await step(tx, batch.id)
      throw new Error('The process died')
    })
    await expect(dies).rejects.toThrow('died')
    expect(await removed()).toBe(maxWithoutReauth)
    await Promise.all([resume(forum.database), resume(forum.database)])
    expect(await batchOf(batch.id)).toMatchObject({ state: 'done', done: many, faults: 0, total: many })
    expect([await removed(), await noted('comment.remove')]).toEqual([many, many])
    expect(await oneStep(batch.id)).toBe(false)
  })

  test('is undone as a whole, step by step, except for posts changed since', async () => {
    const { batch } = await removeAll()
    await resume(forum.database)
    expect((await undo(batch.id)).batch).toMatchObject({ state: 'undoing', undone: 0, canUndo: false })
    expect(await chief.isRefused(batches.undoBatch, { batchId: batch.id }, batches.UndoneAlready)).toBe(true)
    await oneStep(batch.id)
    await chief.call(contract.restoreRemark, { kind: 'comment', id: ids[0] ?? '' })
    await resume(forum.database)
    expect(await batchOf(batch.id)).toMatchObject({ state: 'undone', undone: many - 1, left: 1, undoneBy: chief.account })
    expect(await chief.call(batches.batchLeft, { batchId: batch.id })).toMatchObject({ faults: [], left: [{ id: ids[0] }] })
    expect([await removed(), await counterMismatches(forum.database.app)]).toEqual([0, []])
  })

  test('is undone from the middle, and does nothing more then', async () => {
    const { batch } = await removeAll()
    await oneStep(batch.id)
    expect((await undo(batch.id)).batch).toMatchObject({ state: 'undone', done: maxWithoutReauth, undone: maxWithoutReauth })
    await resume(forum.database)
    expect([await removed(), await counterMismatches(forum.database.app)]).toEqual([0, []])
  })

  test('stops when its author loses the right, and says so; another may undo it', async () => {
    const helper = await aStaffer(forum, ['content.view', 'content.remove'])
    const { batch } = await removeAll(helper)
    await oneStep(batch.id)
    await forum.database.app.deleteFrom('staff_role_holding').where('staff_id', '=', helper.id).execute()
    await resume(forum.database)
    expect(await batchOf(batch.id)).toMatchObject({ state: 'stopped', whyStopped: 'right', done: maxWithoutReauth, canUndo: true })
    expect(await removed()).toBe(maxWithoutReauth)
    await undo(batch.id)
    expect(await removed()).toBe(0)
  })

  test('continues after its author signed out, and stops when they may not sign in any more', async () => {
    const helper = await aStaffer(forum, ['content.view', 'content.remove'])
    const { batch } = await removeAll(helper)
    await forum.database.app
      .updateTable('staff_session')
      .set({ ended_at: new Date(), ended_because: 'signed out' })
      .where('staff_id', '=', helper.id)
      .execute()
    await oneStep(batch.id)
    expect(await removed()).toBe(maxWithoutReauth)
    await forum.database.app.updateTable('staff').set({ disabled_at: new Date() }).where('id', '=', helper.id).execute()
    expect(await oneStep(batch.id)).toBe(false)
    expect(await batchOf(batch.id)).toMatchObject({ state: 'stopped', whyStopped: 'right' })
  })

  test('stops where something is broken, says so, and does not keep others waiting', async () => {
    const owner = new pg.Client({ connectionString: forum.ownerUrl })
    await owner.connect()
    await owner.query(`create function break() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create trigger breaks before update on comment for each row when (new.id = ${ids.at(-1)}) execute function break()`)
    const others = await manyComments(forum.database, lin.id, await aTopic(ann, await aTag(forum.database)), many)
    const { batch } = await removeAll()
    const { batch: other } = await chief.call(contract.doAtOnce, { action: 'comment.remove', ids: others, reason: 'spam' })
    await expect(resume(forum.database)).rejects.toThrow('broken')
    expect(await batchOf(batch.id)).toMatchObject({ state: 'stopped', whyStopped: 'failure', done: maxWithoutReauth, canUndo: true })
    await resume(forum.database)
    expect(await batchOf(other.id)).toMatchObject({ state: 'done', done: many })
    await owner.query('drop trigger breaks on comment')
    await owner.end()
  })

  test('shows its progress to all staff with access, and to its author for a while after', async () => {
    const helper = await aStaffer(forum, ['content.view'])
    const { batch } = await removeAll()
    const seen = async (who: Staffer) =>
      (await who.call(batches.batchesAtWork, { kind: 'comment' })).batches.filter(({ id }) => id === batch.id)
    await oneStep(batch.id)
    for (const who of [chief, helper]) expect(await seen(who)).toMatchObject([{ done: maxWithoutReauth, total: many, state: 'doing' }])
    await resume(forum.database)
    expect(await seen(chief)).toMatchObject([{ done: many, state: 'done' }])
    expect(await seen(helper)).toEqual([])
  })
})
