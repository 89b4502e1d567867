import { beforeAll, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { envelope, envelopeForm, openEnvelope } from '#red-envelope/contract.ts'
import { envelopeOf } from '#red-envelope/testing/factories.ts'
import { staffEnvelope } from '#red-envelope/staff-contract.ts'
import { makeRoleDefault, removeRole } from '#role/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aRole, aTag, giveRole, readerRights } from '#tag/testing/factories.ts'
import { gives } from '#topic/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId = ''
let giver: Person

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  await transact(forum.database, (tx) => applySettings(tx, { topicPoints: 0, envelopesPerDay: 1_000, envelopesPerDayOfNewMembers: 1_000 }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
  giver = await forum.member()
  await endow(forum.database, giver.id, 1_000)
})

const inputFor = (envelopeRole: string) => ({ envelopeKind: 'fixed', envelopePoints: '5', envelopeQuantity: 3, envelopeRole }) as const
const opens = (who: Person, envelopeId: string) => who.tryCall(openEnvelope, { envelopeId }, newIdempotencyKey())

async function heldRole(): Promise<{ roleId: string; holder: Person }> {
  const roleId = await aRole(forum.database, readerRights)
  const holder = await forum.member()
  await giveRole(forum.database, holder.id, roleId)
  return { roleId, holder }
}

async function anEnvelope(roleId: string): Promise<string> {
  const { status, body } = await gives(giver, tagId, inputFor(roleId))
  expect(status).toBe(200)
  return envelopeOf(forum, body.topicId)
}

const nameOf = async (roleId: string) => {
  const { name_zh: zh, name_en: en } = await forum.database.app
    .selectFrom('role')
    .select(['name_zh', 'name_en'])
    .where('id', '=', roleId)
    .executeTakeFirstOrThrow()
  return { zh, en }
}

test('a giver may name the roles that members show, and no others', async () => {
  const { roleId } = await heldRole()
  const unlistedRoleId = await aRole(forum.database, readerRights)
  const { roles } = await giver.call(envelopeForm, {})
  const everybody = await forum.database.app.selectFrom('role').select('id').where('is_default', '=', true).executeTakeFirstOrThrow()
  expect(roles.find(({ id }) => id === roleId)).toEqual({ id: roleId, name: await nameOf(roleId) })
  for (const id of [unlistedRoleId, everybody.id, '999999']) {
    expect(roles.map((one) => one.id)).not.toContain(id)
    const { status, response } = await gives(giver, tagId, inputFor(id))
    expect([status, Object.keys(response.json().error)]).toEqual([422, ['envelopeRole']])
  }
})

test('it shows the name of the role, and opens for its holders', async () => {
  const { roleId, holder } = await heldRole()
  const envelopeId = await anEnvelope(roleId)
  expect(await forum.visitor().call(envelope, { envelopeId })).toMatchObject({ conditions: { roleId }, role: await nameOf(roleId) })
  expect(await chief.call(staffEnvelope, { envelopeId })).toMatchObject({ role: await nameOf(roleId) })
  expect((await opens(await forum.member(), envelopeId)).status).toBe(422)
  expect((await opens(holder, envelopeId)).body).toMatchObject({ amount: '5' })
})

test('a role that became the default is held by all', async () => {
  const { roleId } = await heldRole()
  const envelopeId = await anEnvelope(roleId)
  await chief.call(makeRoleDefault, { roleId })
  expect((await opens(await forum.member(), envelopeId)).body).toMatchObject({ amount: '5' })
})

test('with a removed role it opens for no one, and shows no name', async () => {
  const { roleId, holder } = await heldRole()
  const envelopeId = await anEnvelope(roleId)
  await chief.call(removeRole, { roleId, evenIfHeld: true })
  expect(await holder.call(envelope, { envelopeId })).toMatchObject({ conditions: { roleId }, role: null })
  expect((await opens(holder, envelopeId)).status).toBe(422)
})
