import * as audit from '#audit/server/audit.ts'
import { locks } from '#base/rich-text/document.ts'
import { members, route, staff, type Member } from '#base/server/http/route.ts'
import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import * as contract from '#hidden-part/contract.ts'
import * as desk from '#hidden-part/refund-contract.ts'
import * as lists from '#hidden-part/server/lists.ts'
import { lockBy } from '#hidden-part/server/may.ts'
import { funds } from '#hidden-part/server/funds.ts'
import { forStaff, reveal } from '#hidden-part/server/reveal.ts'
import { visibleThread } from '#hidden-part/server/thread.ts'
import * as refund from '#hidden-part/server/refund.ts'
import { buy, tryPassword, unlock } from '#hidden-part/server/unlock.ts'
import * as role from '#role/server/role.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

const refunds = staff('wallet.reverse', { proved: true })

export const routes = [
  route(contract.hiddenForStaff, staff('content.seeHidden'), async ({ db, input }) => ({ parts: await forStaff(db, input.topicId) }), {
    prepare: ({ input, ...ask }) => audit.noteAccess(ask, 'topic.readHidden', `topic ${input.topicId}`),
  }),
  route(desk.unlocksForStaff, staff('wallet.view'), ({ db, viewer, input }) => refund.forStaff(db, viewer, input)),
  route(desk.refundUnlock, refunds, ({ db, viewer, input, client }) => refund.refundOne(db, viewer, client, input), {
    requiresIdempotencyKey: true,
  }),
  route(desk.refundTopic, refunds, ({ db, viewer, input, client }) => refund.refundAll(db, viewer, client, input), {
    requiresIdempotencyKey: true,
  }),
  route(contract.hiddenForm, members, ({ db, viewer }) => form(db, viewer)),
  route(contract.myHidden, members, async ({ db, viewer, input }) => ({
    parts: await reveal(db, viewer, await visibleThread(db, viewer, input.topicId)),
  })),
  route(contract.myMeans, members, ({ db, viewer }) => funds(db, viewer)),
  route(contract.unlockPart, members, ({ db, viewer, input, prepared }) => unlock(db, viewer, input, prepared), {
    prepare: tryPassword,
    limits: [{ times: 30, seconds: 60, by: 'member' }],
  }),
  route(contract.buyPart, role.unlessBanned('money'), ({ db, viewer, input }) => buy(db, viewer, input), {
    requiresIdempotencyKey: true,
    limits: [{ times: 30, seconds: 60, by: 'member' }],
  }),
  route(contract.unlocksOfMine, members, ({ db, viewer, input }) => lists.forAuthor(db, viewer, input)),
  route(contract.myUnlocks, members, ({ db, viewer, input }) => lists.forBuyer(db, viewer, input)),
]

async function form(db: Db, member: Member): Promise<Output<typeof contract.hiddenForm>> {
  const settings = await setting.all(db)
  return {
    locks: settings.hiddenPartsPerTopic > 0 ? locks.filter((lock) => lockBy(settings, member, lock)) : [],
    most: settings.hiddenPartsPerTopic,
    mostPoints: String(settings.maxHiddenPoints),
    mostCents: String(settings.maxHiddenCents),
    levels: await user.levels(db),
  }
}
