import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { ask, conversation, conversations, goOn } from '#assistant/contract.ts'
import { aProvider, streams, withModel } from '#assistant/testing/factories.ts'
import { jobs } from '#assistant/server/jobs.ts'
import { testModel } from '#assistant/staff-contract.ts'
import { leftToday } from '#assistant/server/usage.ts'
import { noteUsageExport, usageView } from '#assistant/usage-contract.ts'
import { auditLog } from '#audit/contract.ts'
import { asMember } from '#message/server/message.ts'
import { dayAt } from '#base/server/calendar.ts'
import { transact } from '#base/server/database/database.ts'
import { prepareJobs } from '#base/server/jobs/jobs.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { health } from '#maintenance/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum({ env: { TEAHOUSE_METRICS_TOKEN: 'a-token-for-metrics-and-nothing-else' } })
const { app } = forum.database
const chief = await aStaffer(forum)
const provider = await aProvider(() => ({ says: ['Hello.'] }))
const modelId = await withModel(forum.database, provider, { prices: [100_000, 10_000, 400_000] })

beforeEach(async () => {
  for (const table of ['assistant_usage', 'assistant_month'] as const) await app.deleteFrom(table).execute()
  await set({ assistantCentsPerMonth: 10_000, assistantKeptDays: 90 })
})

const set = (values: Parameters<typeof applySettings>[1]) => transact(forum.database, (tx) => applySettings(tx, values))
const run = async (name: string) =>
  jobs.find((job) => job.name === name)?.run({ database: forum.database, log: pino({ level: 'silent' }), dataDir: forum.dataDir }, {})

test('usage is counted by day of the site, job, model and member, and by filters', async () => {
  const [mei, tom] = [await forum.member(), await forum.member()]
  for (const who of [mei, mei, tom]) await streams(who, ask, { prompt: 'Good morning?' })
  const its = await chief.call(usageView, {})
  expect(its.total).toMatchObject({ answers: 3, cached: 0, estimated: 0 })
  expect(its.days).toMatchObject([{ day: dayAt(Date.now(), its.timeZone), answers: 3, cost: its.total.cost }])
  expect(its.jobs).toMatchObject([{ job: 'chat', answers: 3 }])
  expect(its.models).toMatchObject([{ model: { id: modelId, name: 'Test', isStandIn: false }, answers: 3 }])
  expect(its.members.map(({ member: { id }, answers }) => [id, answers])).toEqual([
    [mei.id, 2],
    [tom.id, 1],
  ])
  // 100,000 cents per million tokens are 0.001 yuan per input token, and four times as much per output token.
  expect(Number(its.total.cost)).toBeCloseTo(its.total.input * 0.001 + its.total.output * 0.004, 4)
  expect(its.budget).toMatchObject({ spent: its.total.cost, most: '100.0000', state: 'under' })
  expect((await chief.call(usageView, { member: tom.id })).total.answers).toBe(1)
  expect((await chief.call(usageView, { job: 'summary' })).total.answers).toBe(0)
  expect((await chief.call(usageView, { from: '2020-01-01', until: '2020-12-31' })).total.answers).toBe(0)
  await chief.call(noteUsageExport, { rows: 4, asked: '' })
  expect((await chief.call(auditLog, { action: 'assistantUsage.export' })).rows).toHaveLength(1)
})

test('at four fifths of the budget staff are warned, and at its end no question is answered', async () => {
  const mei = await forum.member()
  const spend = (cents: number) =>
    sql`insert into assistant_month (month, cost) values (date_trunc('month', site_day(clock_timestamp()))::date, ${cents * 1_000_000})
      on conflict (month) do update set cost = excluded.cost`.execute(app)
  await spend(7_999)
  expect((await chief.call(health, {})).assistant?.budget).toMatchObject({ state: 'under', share: 79 })
  await spend(8_000)
  expect((await chief.call(health, {})).assistant?.budget).toMatchObject({ state: 'warned', share: 80, spent: '80.0000' })
  expect((await streams(mei, ask, { prompt: 'Still there?' })).pieces.at(-1)?.turn?.state).toBe('finished')
  await spend(10_000)
  expect((await chief.call(usageView, {})).budget).toMatchObject({ state: 'stopped', share: 100 })
  expect((await mei.tryCall(ask, { prompt: 'And now?' })).error['assistant']).toMatch(/budget/)
})

test('staff who manage the assistant are notified once a month that the budget is nearly spent, and once that it is spent', async () => {
  const [manager, looks] = [await aStaffer(forum, ['assistant.manage']), await aStaffer(forum, ['assistant.view'])]
  const mei = await forum.member()
  const spend = (cents: number) =>
    sql`insert into assistant_month (month, cost) values (date_trunc('month', site_day(clock_timestamp()))::date, ${cents * 1_000_000})
      on conflict (month) do update set cost = excluded.cost`.execute(app)
  const budgetNotices = async ({ id }: { id: string }) => {
    const { rows } = await sql<{ state: string }>`
      select facts ->> 'state' as state from notice join staff on speaks_as = member_id where kind = 'assistantBudget' and staff.id = ${id}
      order by notice.id`.execute(app)
    return rows.map(({ state }) => state)
  }
  for (const [cents, hears] of [
    [7_999, []],
    [8_000, ['warned']],
    [9_000, ['warned']],
    [10_000, ['warned', 'stopped']],
    [11_000, ['warned', 'stopped']],
  ] as const) {
    await spend(cents)
    await Promise.all([run('assistant-sweep'), run('assistant-sweep')])
    expect([cents, await budgetNotices(manager), await budgetNotices(chief), await budgetNotices(looks)]).toEqual([cents, hears, hears, []])
  }
  expect((await mei.tryCall(ask, { prompt: 'And now?' })).error['assistant']).toMatch(/budget/)
  await set({ assistantCentsPerMonth: 100_000 })
  await spend(100_000)
  await run('assistant-sweep')
  expect(await budgetNotices(manager)).toEqual(['warned', 'stopped'])
})

test('the usage of a model test is counted by itself, and takes nothing of the tester’s day', async () => {
  await chief.call(testModel, { modelId })
  const { total, jobs: byJob } = await chief.call(usageView, {})
  expect(byJob).toMatchObject([{ job: 'test', answers: 1, cost: total.cost }])
  expect([Number(total.cost) > 0, (await chief.call(usageView, { job: 'test' })).total.answers]).toEqual([true, 1])
  const { speaks_as } = await app.selectFrom('staff').select('speaks_as').where('id', '=', chief.id).executeTakeFirstOrThrow()
  expect(await leftToday(app, speaks_as)).toBe(50)
  provider.does((_, response) => {
    response.writeHead(401).end()
    return null
  })
  await chief.call(testModel, { modelId })
  provider.does(() => ({ says: ['Hello.'] }))
  expect((await chief.call(usageView, {})).total.answers).toBe(1)
})

test('usage is stored for 400 days, and the sums of months longer', async () => {
  const mei = await forum.member()
  const add = (days: number) =>
    sql`insert into assistant_usage (member_id, job, began_at, ended_at) select ${mei.id}, 'chat', at, at
      from (select now() - make_interval(days => ${days}) as at) as its`.execute(app)
  for (const days of [0, 398, 402, 700]) await add(days)
  await sql`insert into assistant_month (month, cost) values ('2020-01-01', 5)`.execute(app)
  await run('assistant-forget')
  expect(await app.selectFrom('assistant_usage').select('id').execute()).toHaveLength(2)
  expect(await app.selectFrom('assistant_month').select('month').execute()).toHaveLength(1)
  expect((await chief.call(usageView, {})).keptDays).toBe(400)
})

test('a removed model leaves its cost', async () => {
  const other = await withModel(forum.database, provider, { sort: -1, prices: [1_000, 0, 1_000] })
  await streams(await forum.member(), ask, { prompt: 'Good morning?' })
  await app.deleteFrom('assistant_model').where('id', '=', other).execute()
  const { models, total } = await chief.call(usageView, {})
  expect([models.map(({ model }) => model), Number(total.cost) > 0]).toEqual([[null], true])
})

/** An answer whose server died in the middle, so many minutes ago. */
async function cutOff(memberId: string, minutes: number): Promise<string> {
  const at = sql<Date>`clock_timestamp() - make_interval(mins => ${minutes})`
  const conversationRow = { member_id: memberId, title: 'Tea', created_at: at, updated_at: at }
  return asMember(app, memberId, async (as) => {
    const { id: conversation_id } = await as
      .insertInto('assistant_conversation')
      .values(conversationRow)
      .returning('id')
      .executeTakeFirstOrThrow()
    const turn = { conversation_id, prompt: 'How long does oolong steep?', answer: 'Three minutes, then', created_at: at }
    const { id: turn_id } = await as.insertInto('assistant_turn').values(turn).returning('id').executeTakeFirstOrThrow()
    await as.insertInto('assistant_usage').values({ member_id: memberId, job: 'chat', turn_id, began_at: at, beat_at: at }).execute()
    return conversation_id
  })
}

const stateOf = (memberId: string, conversationId: string) =>
  asMember(app, memberId, async (as) => {
    const turn = as.selectFrom('assistant_turn').select('state').where('conversation_id', '=', conversationId)
    return (await turn.executeTakeFirstOrThrow()).state
  })

test('an answer cut off with its server is ended, and settled by the text so far; one being written is left alone', async () => {
  const [mei, tom] = [await forum.member(), await forum.member()]
  const [old, fresh] = [await cutOff(mei.id, 2), await cutOff(tom.id, 5)]
  await app
    .updateTable('assistant_usage')
    .set({ beat_at: sql<Date>`clock_timestamp()` })
    .where('member_id', '=', tom.id)
    .execute()
  await run('assistant-sweep')
  await run('assistant-sweep')
  expect([await stateOf(mei.id, old), await stateOf(tom.id, fresh)]).toEqual(['stopped', 'running'])
  const { total, members, models } = await chief.call(usageView, {})
  expect([total.answers, total.estimated, Math.min(total.input, total.output, Number(total.cost)) > 0]).toEqual([1, 1, true])
  expect([members.map(({ member }) => member.id), models[0]?.model?.id]).toEqual([[mei.id], modelId])
})

test('an old answer that goes on is being written, whenever it began', async () => {
  const mei = await forum.member()
  const conversationId = await cutOff(mei.id, 60)
  await run('assistant-sweep')
  const [turn] = (await mei.call(conversation, { conversationId })).turns
  expect(turn?.state).toBe('stopped')
  let within: string[] = []
  provider.does(async () => {
    await run('assistant-sweep')
    within = (await mei.call(conversation, { conversationId })).turns.map(({ state }) => state)
    return { says: [' pour.'] }
  })
  const { pieces } = await streams(mei, goOn, { turnId: turn?.id ?? '' })
  expect([within, pieces.at(-1)?.turn?.state]).toEqual([['running'], 'finished'])
  provider.does(() => ({ says: ['Hello.'] }))
})

test('conversations older than the set days are deleted, and their usage stays counted', async () => {
  const mei = await forum.member()
  await cutOff(mei.id, 60 * 24 * 8)
  await cutOff(mei.id, 60 * 24 * 6)
  await run('assistant-sweep')
  await set({ assistantKeptDays: 7 })
  await run('assistant-forget')
  expect((await mei.call(conversations, {})).conversations).toHaveLength(1)
  expect((await app.selectFrom('assistant_usage').select('id').execute()).length).toBe(2)
})

test('the metrics say how answers ended, how many are written now, and how often providers failed', async () => {
  await prepareJobs(forum.ownerUrl)
  const mei = await forum.member()
  const read = async () => {
    const headers = { authorization: 'Bearer a-token-for-metrics-and-nothing-else' }
    const { body } = await forum.app.inject({ url: '/metrics', headers })
    return (name: string) => Number(new RegExp(`^teahouse_assistant${name} (\\d+)$`, 'm').exec(body)?.[1])
  }
  const before = await read()
  await streams(mei, ask, { prompt: 'Good morning?' })
  provider.does((_, response) => {
    response.writeHead(401).end()
    return null
  })
  await streams(mei, ask, { prompt: 'Good evening?' })
  const after = await read()
  const grew = (name: string) => after(name) - before(name)
  expect(grew('_answers_total{outcome="finished"}'.replaceAll(/[{}"]/g, '\\$&'))).toBe(1)
  expect(grew('_answers_total{outcome="failed"}'.replaceAll(/[{}"]/g, '\\$&'))).toBe(1)
  expect(grew('_provider_failures_total')).toBe(1)
  expect(after('{what="running"}'.replaceAll(/[{}"]/g, '\\$&'))).toBe(0)
  expect(after('{what="models"}'.replaceAll(/[{}"]/g, '\\$&'))).toBe(1)
})
