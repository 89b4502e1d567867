import { beforeAll, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { solvedCaptcha } from '#base/testing/verification-codes.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { envelope, openEnvelope } from '#red-envelope/contract.ts'
import { envelopeOf } from '#red-envelope/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { gives } from '#topic/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'

let forum: Forum
let tagId = ''
let giver: Person
let mei: Person

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
  const settings = { topicPoints: 0, envelopesPerDay: 1_000, envelopesPerDayOfNewMembers: 1_000, envelopeCaptcha: true }
  await transact(forum.database, (tx) => applySettings(tx, settings))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
  giver = await forum.member()
  await endow(forum.database, giver.id, 1_000)
})

beforeEach(async () => {
  mei = await forum.member()
})

async function anEnvelope(input: Parameters<typeof gives>[2]): Promise<string> {
  const { body } = await gives(giver, tagId, input)
  return envelopeOf(forum, body.topicId)
}

const forAll = () => anEnvelope({ envelopeKind: 'fixed', envelopePoints: '5', envelopeQuantity: 3 })
const solveCaptcha = () => solvedCaptcha(forum, mei, 'redEnvelope')
const sharesTaken = async (envelopeId: string) => (await mei.call(envelope, { envelopeId })).taken

test('with the setting, an envelope for all opens with a captcha, and not without', async () => {
  const envelopeId = await forAll()
  expect(await mei.call(envelope, { envelopeId })).toMatchObject({ needsCaptcha: true })
  const { status, error } = await mei.tryCall(openEnvelope, { envelopeId }, newIdempotencyKey())
  expect([status, Object.keys(error ?? {})]).toEqual([422, ['captcha']])
  const { captchaId } = await solveCaptcha()
  expect((await mei.tryCall(openEnvelope, { envelopeId, captchaId, captcha: 'nope' }, newIdempotencyKey())).error).toHaveProperty('captcha')
  expect(await sharesTaken(envelopeId)).toBe(0)
  expect(await mei.call(openEnvelope, { envelopeId, ...(await solveCaptcha()) }, newIdempotencyKey())).toMatchObject({
    amount: '5',
    isNew: true,
  })
})

test('a captcha opens one envelope, whoever uses it again', async () => {
  const [one, two] = [await forAll(), await forAll()]
  const captcha = await solveCaptcha()
  const answers = await Promise.all(
    [one, two].map((envelopeId) => mei.tryCall(openEnvelope, { envelopeId, ...captcha }, newIdempotencyKey())),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  expect((await sharesTaken(one)) + (await sharesTaken(two))).toBe(1)
  const other = await solveCaptcha()
  const bo = await forum.member()
  expect((await bo.tryCall(openEnvelope, { envelopeId: one, ...other }, newIdempotencyKey())).error).toHaveProperty('captcha')
})

test('with the answer lost, the same request is answered the same share', async () => {
  const envelopeId = await forAll()
  const [request, key] = [{ envelopeId, ...(await solveCaptcha()) }, newIdempotencyKey()]
  const first = await mei.call(openEnvelope, request, key)
  expect(await mei.call(openEnvelope, request, key)).toEqual(first)
  expect((await mei.tryCall(openEnvelope, { envelopeId }, newIdempotencyKey())).body).toMatchObject({ amount: '5', isNew: false })
  expect(await sharesTaken(envelopeId)).toBe(1)
})

test('a captcha that was for something else opens nothing', async () => {
  const envelopeId = await forAll()
  const other = await solvedCaptcha(forum, mei, 'report')
  expect((await mei.tryCall(openEnvelope, { envelopeId, ...other }, newIdempotencyKey())).error).toHaveProperty('captcha')
})

test('a targeted envelope opens without', async () => {
  const envelopeId = await anEnvelope({ envelopeKind: 'targeted', envelopePoints: '5', envelopeReceiver: mei.account })
  expect(await mei.call(envelope, { envelopeId })).toMatchObject({ needsCaptcha: false })
  expect(await mei.call(openEnvelope, { envelopeId }, newIdempotencyKey())).toMatchObject({ amount: '5' })
})
