import { beforeAll, describe, expect, test } from 'vitest'
import { screens } from '#apps/admin/screens.ts'
import { transact } from '#base/server/database/database.ts'
import { asMember } from '#message/server/as-member.ts'
import { report } from '#message/server/report.ts'
import { aCard, aCoupon } from '#membership/testing/factories.ts'
import type { Member } from '#base/server/http/route.ts'
import { aDirectOne } from '#red-envelope/testing/factories.ts'
import { aStaffRole } from '#staff/testing/factories.ts'
import * as staff from '#staff/server/staff.ts'
import { visitAsStaff } from './staff-visit.ts'
import { accessibilityViolations, cheapViolations } from '#base/testing/accessibility-checks.ts'
import { isChosen } from '#base/testing/extent.ts'
import { go, outOfOrder } from './go.ts'
import { someImports } from './imports.ts'
import { someMemberships } from './memberships.ts'
import { somePayments } from './payments.ts'
import { aReportedAnswer, someUsage } from './assistant.ts'
import { builtForum, type Site, type Visit, type BrowserVisit } from './site.ts'

/** These need prepared content, and are visited in the tests that create it. */
const elsewhere = ['/admin/report/view', '/admin/appeal/view']

/** Visits every address of the administration: one test each, on one page that navigates without reloading. */
export function throughEveryStaffScreen(as: Pick<Visit, 'language' | 'theme' | 'width'>): void {
  describe(`nothing is found wrong with the administration, in ${as.language}, ${as.theme}, on a ${as.width}`, () => {
    let queriesOf: Record<string, readonly string[]>
    let desk: BrowserVisit

    beforeAll(async () => {
      const site = await builtForum()
      queriesOf = await addContent(site)
      desk = await visitAsStaff(site, as)
      await desk.page.goto('/admin/dashboard')
      // The layout around every screen is checked once.
      expect([...(await outOfOrder(desk.page)), ...(await accessibilityViolations(desk.page))]).toEqual([])
      return () => desk.context.close()
    })

    test.each(screens.filter(({ path }) => !elsewhere.includes(path)))('at $path', async ({ path, title }) => {
      const { page, complaints } = desk
      const violations = isChosen(path, featureIn(title)) ? accessibilityViolations : cheapViolations
      for (const query of queriesOf[path] ?? ['']) {
        await go(page, query ? `${path}?${query}` : path)
        expect([...(await outOfOrder(page)), ...(await violations(page, { within: 'main' }))]).toEqual([])
        const menus = await page.locator('nav:has(a[href="/admin/dashboard"])').all()
        const current = await Promise.all(menus.map((menu) => menu.locator('[aria-current]').count()))
        // One's own page is in no menu.
        expect(current).toEqual(menus.map(() => (path === '/admin/self' ? 0 : 1)))
      }
      expect(complaints.splice(0)).toEqual([])
    })

    test('where the menu leads to every screen that it names', async () => {
      const { page } = desk
      for (const { path, initialQuery = '' } of screens.filter(({ group }) => group)) {
        if (as.width === 'phone') await page.locator('header button[popovertarget]').first().click()
        await page.locator(`nav a[href="${path}${initialQuery}"] >> visible=true`).click()
        await page.waitForURL((url) => url.pathname === path)
      }
    })
  })
}

// Its words are those of its feature: `redEnvelopeAdmin.envelopes`.
function featureIn(title: string): string | null {
  const name = /^(\w+)Admin\./.exec(title)?.[1]
  return name?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) ?? null
}

/** Content that the sample lacks, and the queries of detail screens. */
async function addContent(site: Site): Promise<Record<string, readonly string[]>> {
  const db = site.database.app
  const memberId = (await db.selectFrom('member').select('id').where('account', '=', 'laochen').executeTakeFirstOrThrow()).id
  const topicId = await site.topic('一条 SQL')
  const { id: transactionId } = await db
    .selectFrom('ledger.transaction')
    .select('id')
    .where('kind', '=', 'opening')
    .limit(1)
    .executeTakeFirstOrThrow()

  const messageId = await asMember(db, memberId, async (as) => {
    const theirs = as.selectFrom('message').select('id').where('author_id', '<>', memberId).limit(1)
    return (await theirs.executeTakeFirstOrThrow()).id
  })
  await transact(site.database, (tx) => report(tx, { id: memberId } as Member, { messageId, reason: 'It sells something.' }))
  const answerReportId = await aReportedAnswer(site.database, memberId)
  const { id: reportId } = await db.selectFrom('message_report').select('id').executeTakeFirstOrThrow()

  // Long content for narrow screens.
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

  const others = await db.selectFrom('member').select('id').where('id', '<>', memberId).orderBy('id').limit(2).execute()
  const ring = [memberId, ...others.map(({ id }) => id)].toSorted((one, other) => Number(one) - Number(other))
  const at = new Date().toISOString()
  const flows = ring.map((from, place) => ({
    from,
    to: ring[(place + 1) % ring.length],
    measure: 'cny',
    amount: '128000.00',
    times: 12,
    ofGiven: 100,
    ofReceived: 98,
    firstAt: at,
    lastAt: at,
    transactionIds: [transactionId],
  }))
  await db
    .insertInto('collusion_hint')
    .values({
      members: ring,
      patterns: JSON.stringify([{ measure: 'cny', shape: 'ring' }]),
      flows: JSON.stringify(flows),
      shared: JSON.stringify([{ kind: 'address', members: ring.slice(0, 2) }]),
    })
    .execute()

  const { id: roleId } = await db
    .selectFrom('role')
    .select('id')
    .where('is_default', '=', false)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const options = [{ cents: 128_000, points: 1_000_000, stock: 40 }, { points: 50 }]
  const { cardId } = await aCard(site.database, roleId, options, { name: 'A card with a long name' })
  await aCoupon(site.database, 'SPRING-OF-LONG-WORDS', 10, { maxUses: 1_000 })
  const { id: couponId } = await db.selectFrom('membership_coupon').select('id').limit(1).executeTakeFirstOrThrow()
  const envelopeId = await aDirectOne(site.database, memberId, '阿哲')
  const { orderId, taskId } = await someMemberships(site.database, memberId, others[0]?.id ?? '')

  const { number, eventId } = await somePayments(site.database, memberId)
  await someUsage(site.database, memberId)
  await someImports(site.database)

  return {
    '/admin/assistant/usage': ['', `from=2026-01-01&until=2026-12-31&member=${memberId}`],
    '/admin/payment/view': [`number=${number}`],
    '/admin/payment/member': [`member=${memberId}`],
    '/admin/payment/difference': ['', 'state=open'],
    '/admin/payment/event': ['', 'state=suspended'],
    '/admin/payment/event/view': [`eventId=${eventId}`],
    '/admin/membershipCard/edit': ['', `cardId=${cardId}`],
    '/admin/coupon/view': ['', `couponId=${couponId}`],
    '/admin/topic/view': [`topicId=${topicId}`],
    '/admin/member/view': ['tab=', 'tab=bans', 'tab=access'].map((tab) => `memberId=${memberId}&${tab}`),
    '/admin/member/merge': [`memberId=${memberId}`],
    '/admin/cleaning': [`memberId=${memberId}`],
    '/admin/wallet/member': [`memberId=${memberId}`, `memberId=${memberId}&currency=cny`],
    '/admin/wallet/transaction': [`transactionId=${transactionId}`],
    '/admin/membershipOrder/view': [`orderId=${orderId}`],
    '/admin/membershipOrder/member': [`member=${memberId}`],
    '/admin/redEnvelope/view': [`envelopeId=${envelopeId}`],
    '/admin/giftTask/view': [`taskId=${taskId}`],
    '/admin/assistant/report/view': [`reportId=${answerReportId}`],
    '/admin/messageReport/view': [`reportId=${reportId}`],
    '/admin/delivery/template/edit': ['template=code', 'template=notifications'],
  }
}
