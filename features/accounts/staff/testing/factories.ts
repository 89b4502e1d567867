import { hashOnce } from '#account/testing/factories.ts'
import { transact, type Database } from '#base/server/database/database.ts'
import { secretCookieName, staffCookie } from '#base/server/http/secret-cookies.ts'
import { Visitor } from '#base/testing/visitor.ts'
import type { Forum } from '#base/testing/forum.ts'
import { signIn } from '#staff/contract.ts'
import * as session from '#staff/server/session.ts'
import * as staff from '#staff/server/staff.ts'

/** A member of staff with a session cookie (httpOnly). */
export class Staffer extends Visitor {
  id = ''
  account = ''
  password = ''
  secret = ''

  override headers(method: 'GET' | 'POST'): Record<string, string> {
    const headers = super.headers(method)
    return {
      ...headers,
      cookie: [this.cookie, this.secret && `${secretCookieName(staffCookie)}=${this.secret}`].filter(Boolean).join('; '),
    }
  }

  async signIn(more: { code?: string } = {}): Promise<this> {
    const { status, response } = await this.tryCall(signIn, { account: this.account, password: this.password, ...more })
    if (status !== 200) throw new Error(`Signing in answered ${status}: ${response.body}`)
    this.secret = /teahouse_staff=([^;]+)/.exec(String(response.headers['set-cookie']))?.[1] ?? ''
    return this
  }
}

let added = 0

/** A logged-in member of staff, inserted directly with rows and a secret: an administrator, or with these rights only. */
export async function aStaffer(forum: Forum, rights?: readonly string[]): Promise<Staffer> {
  const roleIds = rights && [await aStaffRole(forum.database, rights)]
  const staffer = Object.assign(new Staffer(forum.app), { account: `staff_${++added}`, password: 'a-kettle-on-the-boil' })
  await staffer.fetchToken()
  const hash = await hashOnce(staffer.password)
  return transact(forum.database, async (tx) => {
    const id = await staff.addWithHash(tx, staffer.account, hash, roleIds)
    const from = { ...staffer, origin: '', isLocal: false, authorization: undefined, csrf: '' }
    return Object.assign(staffer, { id, secret: await session.begin(tx, id, from) })
  })
}

export async function aStaffRole({ app }: Database, rights: readonly string[], name_en = 'Helper'): Promise<string> {
  const { id } = await app.insertInto('staff_role').values({ name_zh: '帮手', name_en }).returning('id').executeTakeFirstOrThrow()
  if (rights.length > 0) {
    await app
      .insertInto('staff_role_right')
      .values(rights.map((right_name) => ({ role_id: id, right_name })))
      .execute()
  }
  return id
}
