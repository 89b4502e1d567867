import * as audit from '#audit/server/audit.ts'
import { anyone, members, on, staff } from '#base/server/route.ts'
import * as desk from '#wallet/adjust-contract.ts'
import * as contract from '#wallet/contract.ts'
import * as log from '#wallet/log-contract.ts'
import { approveRequest, declineRequest, moneyRequests } from '#wallet/request-contract.ts'
import { adjust } from '#wallet/server/adjust.ts'
import { booksState } from '#wallet/server/books-state.ts'
import * as explore from '#wallet/server/explore.ts'
import * as hand from '#wallet/server/freeze.ts'
import * as own from '#wallet/server/own.ts'
import { preview } from '#wallet/server/preview.ts'
import * as requests from '#wallet/server/request.ts'
import { reverseByHand } from '#wallet/server/reverse.ts'

const views = staff('wallet.view')
const adjusts = staff('wallet.adjust', { proved: true })
const reverses = staff('wallet.reverse', { proved: true })
const freezes = staff('wallet.freeze', { proved: true })
const onceOnly = { demandsKey: true }

const routes = [
  on(log.pointRules, anyone, ({ db }) => own.rules(db), { cacheTags: () => ['setting'] }),
  on(log.point, members, ({ db, viewer, input }) => own.showPoint(db, viewer, input)),
  on(log.balance, members, ({ db, viewer, input }) => own.showBalance(db, viewer, input)),
  on(log.wallet, members, ({ db, viewer }) => own.showWallet(db, viewer)),
  on(log.statement, members, ({ db, viewer, input }) => own.showStatement(db, viewer, input)),
  on(desk.memberAccounts, views, ({ db, viewer, input }) => explore.showMember(db, viewer, input)),
  on(desk.transactions, views, ({ db, input }) => explore.list(db, input)),
  on(desk.noteTransactionExport, views, audit.noteFile('wallet.export')),
  on(desk.transaction, views, ({ db, viewer, input }) => explore.show(db, viewer, input.transactionId)),
  on(moneyRequests, views, ({ db, viewer, input }) => requests.list(db, viewer, input)),
  on(desk.adjustPoints, adjusts, ({ db, viewer, input, from }) => adjust(db, viewer, from, { ...input, currency: 'points' }), onceOnly),
  on(desk.adjustBalance, adjusts, ({ db, viewer, input, from }) => adjust(db, viewer, from, { ...input, currency: 'cny' }), onceOnly),
  on(declineRequest, views, async ({ db, viewer, input, from }) => {
    await requests.decline(db, viewer, from, input)
    return {}
  }),
  on(desk.reverseTransaction, reverses, ({ db, viewer, input, from }) => reverseByHand(db, viewer, from, input), onceOnly),
  on(desk.previewRules, staff('setting.view'), ({ db, input }) => preview(db, input), { longRunning: true }),
  on(contract.books, staff('wallet.freeze'), async ({ db }) => {
    const { frozen, looks, late } = await booksState(db)
    return {
      frozen: frozen && { ...frozen, at: frozen.at.toISOString() },
      looks: looks.map((look) => ({ ...look, at: look.at.toISOString() })),
      late: late.map(({ of, since }) => ({ of, since: since.toISOString() })),
    }
  }),
  on(contract.freezeBooks, freezes, async ({ db, viewer, from, input }) => {
    await hand.freezeByHand(db, viewer.staff, from, input.reason)
    return {}
  }),
  on(contract.thawBooks, freezes, async ({ db, viewer, from, input }) => {
    await hand.thaw(db, viewer.staff, from, input.reason)
    return {}
  }),
]

/** The routes, with the approval of the kinds that other features bring. */
export function routesFor(ways: requests.Ways) {
  return [
    ...routes,
    on(
      approveRequest,
      staff('wallet.view', { proved: true }),
      ({ db, viewer, input, from }) => requests.approve(db, viewer, from, ways, input.requestId),
      onceOnly,
    ),
  ]
}
