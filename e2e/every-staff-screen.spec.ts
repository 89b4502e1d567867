import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { screens } from '#apps/admin/screens.ts'
import { transact } from '#base/server/database.ts'
import { asMember } from '#message/server/as-member.ts'
import { report } from '#message/server/report.ts'
import type { Member } from '#base/server/route.ts'
import { aStaffRole } from '#staff/server/example.ts'
import * as staff from '#staff/server/staff.ts'
import { atTheDesk } from './at-the-desk.ts'
import { blemishes, misfits } from '#base/testing/blemishes.ts'
import { aSite, type Walk } from './site.ts'

const site = await aSite()
const db = site.database.app
const memberId = (await db.selectFrom('member').select('id').where('account', '=', 'laochen').executeTakeFirstOrThrow()).id
const topicId = await site.topic('一条 SQL')
const { id: transactionId } = await db
  .selectFrom('ledger.transaction')
  .select('id')
  .where('kind', '=', 'adjustment')
  .limit(1)
  .executeTakeFirstOrThrow()

const messageId = await asMember(db, memberId, async (as) => {
  const theirs = as.selectFrom('message').select('id').where('author_id', '<>', memberId).limit(1)
  return (await theirs.executeTakeFirstOrThrow()).id
})
await transact(site.database, (tx) => report(tx, { id: memberId } as Member, { messageId, reason: 'It sells something.' }))
const { id: reportId } = await db.selectFrom('message_report').select('id').executeTakeFirstOrThrow()

// What takes room where there is little of it.
const roleIds = [
  await aStaffRole(site.database, ['audit.view'], 'Moderator of the night'),
  await aStaffRole(site.database, [], 'Librarian'),
]
const { id: staffId } = await transact(site.database, (tx) => staff.add(tx, 'one_who_has_a_long_name', roleIds))
await db
  .updateTable('staff')
  .set({ last_seen_at: new Date(Date.now() - 33 * 60_000) })
  .where('id', '=', staffId)
  .execute()

/** What the menu does not lead to, with what it shows. */
const inside: Record<string, readonly string[]> = {
  '/admin/topic/view': [`topicId=${topicId}`],
  '/admin/member/view': ['tab=', 'tab=bans', 'tab=access'].map((tab) => `memberId=${memberId}&${tab}`),
  '/admin/member/merge': [`memberId=${memberId}`],
  '/admin/cleaning': [`memberId=${memberId}`],
  '/admin/wallet/member': [`memberId=${memberId}`, `memberId=${memberId}&currency=cny`],
  '/admin/wallet/transaction': [`transactionId=${transactionId}`],
  '/admin/messageReport/view': [`reportId=${reportId}`],
  '/admin/delivery/template/edit': ['template=code', 'template=reminders'],
  '/admin/notice/edit': [''],
  '/admin/help/edit': [''],
  '/admin/review/decided': [''],
  '/admin/sensitiveWord': [''],
  '/admin/self': [''],
}
/** These need something to show, and are gone through where it is made. */
const elsewhere = ['/admin/report/view', '/admin/appeal/view']

// Both ways lead through every screen, and the checker looks at each on one of them, in turn.
const ways = [
  ['zh', 'phone', 'light'],
  ['en', 'desktop', 'dark'],
] as const

describe.each(ways)('nothing is found wrong, in %s on a %s, %s,', (language, width, theme) => {
  let desk: Walk
  let visited = 0

  async function faultsOf(page: Page): Promise<string[]> {
    const isItsTurn = visited++ % ways.length === ways.findIndex(([other]) => other === language)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('main[aria-busy]').waitFor({ state: 'detached' })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    const found = await (isItsTurn ? blemishes(page) : misfits(page))
    return [...(overflow === 0 ? [] : [`${page.url()} is too wide by ${overflow}`]), ...found]
  }

  beforeAll(async () => {
    desk = await atTheDesk(site, { language, width, theme })
    return () => desk.context.close()
  })

  test('on any screen that the menu of the administration leads to', async () => {
    const { page, complaints } = desk
    await page.goto('/admin/dashboard')
    const faults: string[] = []
    for (const { path } of screens.filter(({ group }) => group)) {
      if (width === 'phone') await page.locator('header button[popovertarget]').first().click()
      await page.locator(`nav a[href="${path}"] >> visible=true`).click()
      await page.waitForURL((url) => url.pathname === path)
      faults.push(...(await faultsOf(page)))
    }
    expect(faults).toEqual([])
    expect(complaints).toEqual([])
  })

  test('on any screen that lies deeper', async () => {
    const { page, complaints } = desk
    const faults: string[] = []
    for (const [path, queries] of Object.entries(inside)) {
      for (const query of queries) {
        await page.goto(`${path}?${query}`)
        faults.push(...(await faultsOf(page)))
      }
    }
    expect(faults).toEqual([])
    expect(complaints).toEqual([])
  })
})

test('no screen of the administration was left out', () => {
  const seen = [...screens.filter(({ group }) => group).map(({ path }) => path), ...Object.keys(inside), ...elsewhere]
  expect([...new Set(seen)].sort()).toEqual(screens.map(({ path }) => path).sort())
})
