import { transact } from '#base/server/database/database.ts'
import { aStaffRole } from '#staff/testing/factories.ts'
import * as session from '#staff/server/session.ts'
import * as staff from '#staff/server/staff.ts'
import type { StaffRight } from '#staff/admin/staff.tsx'
import type { Site, Visit, BrowserVisit } from './site.ts'

export type StaffVisit = BrowserVisit & { account: string; password: string }

let added = 0

/** A browser with a member of staff signed in to the administration: an administrator, or one with only these rights. */
export async function visitAsStaff(
  site: Site,
  as: Omit<Visit, 'as'> & {
    rights?: readonly StaffRight[]
    /** Also logged in to the forum. */ isInForum?: boolean
  } = {},
): Promise<StaffVisit> {
  const { rights, isInForum = false, ...visit } = as
  const roleIds = rights && [await aStaffRole(site.database, rights)]
  const { newStaff, secret } = await transact(site.database, async (tx) => {
    const newStaff = await staff.add(tx, `desk_${++added}`, roleIds)
    const from = {
      origin: '',
      ip: '127.0.0.1',
      isLocal: false,
      language: 'en' as const,
      userAgent: 'another device',
      authorization: undefined,
      csrf: '',
    }
    return { newStaff, secret: await session.begin(tx, newStaff.id, from) }
  })
  const walk = await site.visit({ ...visit, ...(isInForum && { as: newStaff.account }) })
  const cookie = { name: 'teahouse_staff', value: secret, domain: new URL(site.url).hostname, path: '/api/admin', httpOnly: true }
  await walk.context.addCookies([cookie])
  return { ...walk, account: newStaff.account, password: newStaff.password }
}
