import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { changePassword, login, loginBy, OldPasswordWrong, sessions } from '#account/contract.ts'
import * as user from '#user/server/user.ts'
import { transact } from '#base/server/database/database.ts'
import { hashPassword } from '#base/server/security/hash-password.ts'
import { importedHash } from '#base/server/security/imported-password.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { ageAttempts } from '#base/testing/verification-codes.ts'
import { untilLockWaits } from '#base/testing/waits.ts'
import * as contact from '#contact/server/contact.ts'
import { prove } from '#second-factor/contract.ts'

const forum = await aForum()
const { app } = forum.database
const typed = ' <pass> & "茶" '
const wrong = 'whatever-it-is'

beforeEach(async () => {
  await ageAttempts(forum)
  await transact(forum.database, (tx) => applySettings(tx, { allowLoginAccountType: ['account', 'email'] }))
})

/** A member who came with a hash of phpBB, and has not logged in here. */
async function moved(): Promise<Person & { hash: string }> {
  const person = await forum.member()
  const md5 = createHash('md5').update('&lt;pass&gt; &amp; &quot;茶&quot;').digest('hex')
  const hash = (await importedHash({ family: 'phpbb', hash: md5 })) ?? ''
  await app.updateTable('member').set({ password_hash: hash }).where('id', '=', person.id).execute()
  return Object.assign(person, { hash })
}

async function hashOf({ id }: Person): Promise<string | null> {
  return (await app.selectFrom('member').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow()).password_hash
}

const ours = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/

function logIn(account: string, password = typed) {
  return forum.visitor().tryCall(login, { account, password })
}

test('the first right login replaces the hash by ours, and the next one works too', async () => {
  const mei = await moved()
  expect(await logIn(mei.account)).toMatchObject({ status: 200, body: { systemUser: { userId: mei.id } } })
  const renewed = await hashOf(mei)
  expect(renewed).toMatch(ours)
  expect((await logIn(mei.account)).status).toBe(200)
  expect(await hashOf(mei)).toBe(renewed)
})

test('a login by e-mail address replaces the hash too', async () => {
  const mei = await moved()
  await transact(forum.database, (tx) => contact.bind(tx, mei.id, { kind: 'email', address: 'moved@example.org' }))
  await forum.visitor().call(loginBy, { kind: 'email', email: 'moved@example.org', password: typed })
  expect(await hashOf(mei)).toMatch(ours)
})

test('a wrong password is refused, and leaves the hash', async () => {
  const mei = await moved()
  expect((await logIn(mei.account, wrong)).status).toBe(422)
  expect(await hashOf(mei)).toBe(mei.hash)
})

test('several first logins at once all begin a session', async () => {
  const mei = await moved()
  const answers = await Promise.all([1, 2, 3, 4].map(() => logIn(mei.account)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await hashOf(mei)).toMatch(ours)
  expect((await logIn(mei.account)).status).toBe(200)
})

test('a password that is set during the first login stays', async () => {
  const mei = await moved()
  const other = await hashPassword('rain-on-the-roof')
  let coming: ReturnType<typeof logIn> | undefined
  await transact(forum.database, async (tx) => {
    await tx.updateTable('member').set({ password_hash: other }).where('id', '=', mei.id).execute()
    coming = logIn(mei.account)
    await untilLockWaits(app)
  })
  expect((await coming)?.status).toBe(422)
  expect(await hashOf(mei)).toBe(other)
})

test('a proof by the password replaces the hash, and the session goes on', async () => {
  const mei = await moved()
  await mei.call(prove, { password: typed })
  expect(await hashOf(mei)).toMatch(ours)
  expect((await mei.tryCall(sessions, {})).status).toBe(200)
})

test('an imported password changes to another', async () => {
  const mei = await moved()
  const next = { password: 'rain-on-the-roof', passwordAgain: 'rain-on-the-roof' }
  expect(await mei.isRefused(changePassword, { oldPassword: wrong, ...next }, OldPasswordWrong)).toBe(true)
  expect(await hashOf(mei)).toBe(mei.hash)
  await mei.call(changePassword, { oldPassword: typed, ...next })
  expect((await logIn(mei.account, next.password)).status).toBe(200)
})

test('an index tells whether there are imported hashes', async () => {
  await app.updateTable('member').set({ password_hash: null }).where('password_hash', 'like', 'imported:%').execute()
  expect(await user.hasImportedHashes(app)).toBe(false)
  await moved()
  expect(await user.hasImportedHashes(app)).toBe(true)
  const plan = await app.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    return sql<{ 'QUERY PLAN': string }>`explain select from member where password_hash like 'imported:%'`.execute(tx)
  })
  expect(JSON.stringify(plan.rows)).toMatch(/Index (Only )?Scan using member_id_idx/)
})
