import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { dayAt, addDays } from '#base/server/calendar.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { openEnvelope } from '#red-envelope/contract.ts'
import { envelopeFigures, noteFiguresExport } from '#red-envelope/figures-contract.ts'
import { envelopeOf, letEnd, payClaims } from '#red-envelope/testing/factories.ts'
import { staffEnvelopeTotals } from '#red-envelope/staff-contract.ts'
import type { Settings } from '#setting/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { gives } from '#topic/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId = ''

beforeEach(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  await change({ allowCash: true, topicPoints: 0, envelopesPerDayOfNewMembers: 100, timeZone: 'Pacific/Apia' })
})

async function change(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

async function anEnvelope(giver: Person, input: Parameters<typeof gives>[2]): Promise<string> {
  const { body } = await gives(giver, tagId, input)
  return envelopeOf(forum, body.topicId)
}

const opens = (who: Person, envelopeId: string) => who.call(openEnvelope, { envelopeId }, newIdempotencyKey())
const none = { given: 0, givenAmount: '0', opened: 0, openedAmount: '0', returned: 0, returnedAmount: '0' }

test('figures count given, opened and returned envelopes, each on its day of the site, by kind and currency', async () => {
  const [mei, tom, ann] = [await forum.member(), await forum.member(), await forum.member()]
  await endow(forum.database, mei.id, 1_000)
  await endow(forum.database, mei.id, 1_000, 'cny')
  // Backdated, so that only one of the two counts as new.
  await sql`update member set joined_at = now() - interval '60 days' where id = ${ann.id}`.execute(forum.database.app)
  const openedId = await anEnvelope(mei, { envelopeKind: 'fixed', envelopePoints: '15', envelopeQuantity: 2 })
  const left = await anEnvelope(mei, { envelopeKind: 'random', envelopeCash: '1.20', envelopeQuantity: 3 })
  await anEnvelope(mei, { envelopeKind: 'random', envelopePoints: '50', envelopeQuantity: 5 })
  const first = await opens(tom, openedId)
  await opens(ann, openedId)
  const { amount } = await opens(tom, left)
  await payClaims(forum)
  await letEnd(forum, left)
  const { app } = forum.database
  // Given and first opened the day before.
  await sql`update red_envelope set opened_at = opened_at - interval '1 day' where id = ${left}`.execute(app)
  await sql`update red_envelope_share set claimed_at = claimed_at - interval '1 day' where envelope_id = ${left} and member_id is not null`.execute(
    app,
  )
  await sql`update red_envelope set opened_at = ended_at - interval '40 seconds' where id = ${openedId}`.execute(app)

  const seen = await chief.call(envelopeFigures, { days: 7 })
  const today = dayAt(Date.now(), 'Pacific/Apia')
  const returned = (1.2 - Number(amount)).toFixed(2)
  const points = { given: 2, givenAmount: '80', opened: 2, openedAmount: '30', returned: 0, returnedAmount: '0' }
  const cash = { given: 1, givenAmount: '1.20', opened: 1, openedAmount: amount, returned: 1, returnedAmount: returned }
  expect(seen.total).toEqual([
    { currency: 'points', ...points },
    { currency: 'cny', ...cash },
  ])
  expect(seen.days).toHaveLength(14)
  expect(seen.days.slice(-4)).toEqual([
    { day: addDays(today, -1), currency: 'points', ...none },
    { day: addDays(today, -1), currency: 'cny', ...cash, returned: 0, returnedAmount: '0.00' },
    { day: today, currency: 'points', ...points },
    { day: today, currency: 'cny', ...none, givenAmount: '0.00', openedAmount: '0.00', returned: 1, returnedAmount: returned },
  ])
  expect(seen.kinds).toEqual([
    { kind: 'random', currency: 'points', ...none, given: 1, givenAmount: '50', taken: 0, takenIn: null },
    { kind: 'random', currency: 'cny', ...cash, taken: 0, takenIn: null },
    { kind: 'fixed', currency: 'points', ...points, given: 1, givenAmount: '30', taken: 1, takenIn: 40 },
  ])
  expect(first.amount).toBe('15')
  expect(seen).toMatchObject({ timeZone: 'Pacific/Apia', openers: 2, newOpeners: 1 })
  const sums = await chief.call(staffEnvelopeTotals, {})
  expect(sums.given).toEqual({ points: '80', cash: '1.20' })
  expect([sums.opened, sums.returned]).toEqual([
    { points: '30', cash: amount },
    { points: '0', cash: returned },
  ])
  await chief.call(mergeMembers, { memberId: tom.id, account: tom.account, into: ann.account, reason: 'One person' })
  expect(await chief.call(envelopeFigures, { days: 7 })).toMatchObject({ openers: 1, newOpeners: 1 })
})

test('an envelope that waits for its post, or never opened, counts nowhere; money figures stay after the site gave up money', async () => {
  const sue = await forum.member()
  await endow(forum.database, sue.id, 100)
  await endow(forum.database, sue.id, 100, 'cny')
  await anEnvelope(sue, { envelopeKind: 'random', envelopeCash: '1.00', envelopeQuantity: 2 })
  const before = await chief.call(envelopeFigures, { days: 7 })
  await change({ reviewTopics: 'everybody' })
  await gives(sue, tagId, { envelopeKind: 'random', envelopePoints: '50', envelopeQuantity: 5 })
  expect(await chief.call(envelopeFigures, { days: 7 })).toEqual(before)
  await change({ reviewTopics: 'nobody', allowCash: false })
  expect((await chief.call(envelopeFigures, { days: 7 })).total.map(({ currency }) => currency)).toEqual(['points', 'cny'])
})

test('figures are for staff with the right to view red envelopes, and a download is logged', async () => {
  for (const who of [await aStaffer(forum, ['payment.view']), await forum.member(), forum.visitor()]) {
    expect((await who.tryCall(envelopeFigures, {})).status).toBeOneOf([401, 403])
    expect((await who.tryCall(noteFiguresExport, { rows: 1, asked: '' })).status).toBeOneOf([401, 403])
  }
  for (const days of [0, 8, -7, 1e9]) expect((await chief.tryCall(envelopeFigures, { days })).status).toBe(400)
  await chief.call(noteFiguresExport, { rows: 60, asked: '?days=30' })
  const { rows } = await chief.call(auditLog, { action: 'redEnvelope.figuresExport' })
  expect(rows).toMatchObject([{ after: { rows: 60, asked: '?days=30' } }])
})
