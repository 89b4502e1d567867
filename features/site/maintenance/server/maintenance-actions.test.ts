import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { allJobs } from '#apps/server/jobs.ts'
import { maintenanceTools } from '#apps/server/maintenance.ts'
import { auditLog } from '#audit/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { setJobRetention } from '#base/server/jobs/job-board.ts'
import { enqueue, prepareJobs, startJobs, type Job } from '#base/server/jobs/jobs.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import * as contract from '#maintenance/contract.ts'
import { jobGround, workDone } from '#maintenance/testing/factories.ts'
import { actionsWith } from '#maintenance/server/tools.ts'
import { search } from '#search/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { listTopics } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum({ isOneServer: true })
  chief = await aStaffer(forum)
})

const config = () => ({ dataDir: forum.dataDir, store: null, publicUrl: null })

test('health reports every part, even without jobs', async () => {
  const health = await chief.call(contract.health, {})
  expect(health).toMatchObject({
    program: { node: process.version },
    database: { isEmbedded: true, pending: 0 },
    files: { isStore: false, isReachable: true },
    email: { isSet: false, isNeeded: false, sentAt: null },
    sms: { isSet: false },
    jobs: null,
    search: { engine: 'postgres', isReachable: true },
    backup: { at: null, isRehearsed: false },
  })
  expect(health.database.tables.length).toBeGreaterThan(4)
  expect(health.disk.free).toBeGreaterThan(0)
  expect(await chief.call(contract.jobBoard, {})).toEqual({ isRun: false, queues: [], jobs: [] })
})

test('caches are forgotten when staff say so', async () => {
  const visitor = forum.visitor()
  await visitor.call(listTopics, {})
  expect((await chief.call(contract.health, {})).pages.entries).toBeGreaterThan(0)
  await chief.call(contract.clearCaches, {})
  expect((await chief.call(contract.health, {})).pages.entries).toBe(0)
  expect((await chief.call(auditLog, { action: 'site.clearCaches' })).rows).toHaveLength(1)
})

test('the search index is rebuilt while members search, and resumes where it died', async () => {
  const mei = await forum.member()
  await aTopic(mei, await aTag(forum.database), { title: 'Longjing in spring' })
  const finds = async () => (await forum.visitor().call(search, { keyword: 'longjing' })).total
  await expect.poll(finds).toBe(1)
  const { id } = await chief.call(contract.rebuildSearch, {})
  expect(await chief.isRefused(contract.rebuildSearch, {}, contract.AlreadyAtIt)).toBe(true)

  // The process died after all posts were queued and none was indexed.
  const [{ now } = { now: new Date() }] = await forum.database.app.selectNoFrom((row) => row.fn<Date>('now', []).as('now')).execute()
  await forum.database.app
    .updateTable('maintenance_task')
    .set({ state: 'running', tries: 1, about: now.toISOString() })
    .where('id', '=', id)
    .execute()
  await forum.database.app
    .insertInto('search_change')
    .columns(['kind', 'source_id', 'is_new'])
    .expression(forum.database.app.selectFrom('topic').select((row) => [row.val('topic').as('kind'), 'id', row.val(true).as('is_new')]))
    .execute()
  expect(await finds()).toBe(1)
  await workDone(forum, actionsWith(maintenanceTools({ config: config(), ownerUrl: forum.ownerUrl })))
  expect((await chief.call(contract.health, {})).search).toMatchObject({ engine: 'postgres', waiting: 0, work: { state: 'done' } })
  expect(await finds()).toBe(1)
})

test('jobs that failed are shown with the reason; one tries again when staff say so, the other is thrown away', async () => {
  await prepareJobs(forum.ownerUrl)
  let isCold = true
  const brew: Job = {
    name: 'brew',
    feature: 'maintenance',
    run: () => (isCold ? Promise.reject(new Error('no fire at postgres://tea:hunter2@stove\nin the kitchen')) : Promise.resolve()),
  }
  const working = await startJobs(forum.ownerUrl, [brew], jobGround(forum))
  const board = () => chief.call(contract.jobBoard, {})
  try {
    await transact(forum.database, async (tx) => {
      await enqueue(tx, brew, {})
      await enqueue(tx, brew, {})
    })
    const states = async () => (await board()).jobs.map(({ state }) => state)
    await expect.poll(states).toEqual(['retry', 'retry'])
    // As if all retries had failed.
    await sql`update jobs.job set state = 'failed', completed_on = now() where name = 'brew'`.execute(forum.database.app)
    const { jobs, queues } = await board()
    const [first, second] = jobs
    expect(first).toMatchObject({ name: 'brew', feature: 'maintenance', state: 'failed', message: 'no fire at postgres://…@stove' })
    expect(queues).toMatchObject([{ name: 'brew', feature: 'maintenance', failed: 2, cron: null, nextAt: null }])
    isCold = false
    await chief.call(contract.retryJob, { name: 'brew', id: first?.id ?? '' })
    await chief.call(contract.discardJob, { name: 'brew', id: second?.id ?? '' })
    expect(await chief.isRefused(contract.discardJob, { name: 'brew', id: second?.id ?? '' }, contract.JobGone)).toBe(true)
    await expect.poll(async () => (await board()).queues[0]?.lastDoneAt).not.toBeNull()
    expect((await board()).jobs).toEqual([])
    await setJobRetention(forum.database.app, 9)
    const { rows } = await sql`select deletion_seconds as seconds from jobs.queue where name = 'brew'`.execute(forum.database.app)
    expect(rows).toEqual([{ seconds: 9 * 86_400 }])
  } finally {
    await working.stop()
  }
})

test('logs go when their time is over, and the log of staff never does', async () => {
  const { app } = forum.database
  const old = new Date(Date.now() - 300 * 86_400_000)
  const mei = await forum.member()
  await app
    .insertInto('login_log')
    .values([{ member_id: mei.id, kind: 'login', ip: '10.0.0.1', user_agent: '', at: old }])
    .execute()
  const forget = allJobs({ config: config(), ownerUrl: forum.ownerUrl }).find(({ name }) => name === 'account-forget')
  const logins = async () =>
    (
      await app
        .selectFrom('login_log')
        .select('id')
        .where('at', '<', new Date(Date.now() - 86_400_000))
        .execute()
    ).length
  await forget?.run(jobGround(forum), {})
  expect(await logins()).toBe(1)
  await transact(forum.database, (tx) => setting.change(tx, 'loginLogDays', 200, 'test'))
  await forget?.run(jobGround(forum), {})
  expect(await logins()).toBe(0)
  expect((await chief.call(auditLog, { action: 'job.retry' })).rows).toHaveLength(1)
})
