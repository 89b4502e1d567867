import * as audit from '#audit/server/audit.ts'
import { anyone, members, route, staff } from '#base/server/http/route.ts'
import * as desk from '#wallet/adjust-contract.ts'
import * as contract from '#wallet/contract.ts'
import * as log from '#wallet/log-contract.ts'
import { approveRequest, declineRequest, moneyRequests } from '#wallet/request-contract.ts'
import { adjust } from '#wallet/server/adjust.ts'
import { booksState } from '#wallet/server/books-state.ts'
import * as explore from '#wallet/server/explore.ts'
import * as freezing from '#wallet/server/freeze.ts'
import * as own from '#wallet/server/member-accounts.ts'
import { preview } from '#wallet/server/preview.ts'
import * as requests from '#wallet/server/request.ts'
import { reverseByHand } from '#wallet/server/reverse.ts'

const views = staff('wallet.view')
const adjusts = staff('wallet.adjust', { proved: true })
const reverses = staff('wallet.reverse', { proved: true })
const freezes = staff('wallet.freeze', { proved: true })
const onceOnly = { requiresIdempotencyKey: true }

export const routes = [
  route(log.pointRules, anyone, ({ db }) => own.rules(db), { cacheTags: () => ['setting'] }),
  route(log.point, members, ({ db, viewer, input }) => own.showPoint(db, viewer, input)),
  route(log.balance, members, ({ db, viewer, input }) => own.showBalance(db, viewer, input)),
  route(log.wallet, members, ({ db, viewer }) => own.showWallet(db, viewer)),
  route(log.statement, members, ({ db, viewer, input }) => own.showStatement(db, viewer, input)),
  route(desk.memberAccounts, views, ({ db, viewer, input }) => explore.showMember(db, viewer, input)),
  route(desk.transactions, views, ({ db, input }) => explore.list(db, input)),
  route(desk.noteTransactionExport, views, audit.noteExport('wallet.export')),
  route(desk.transaction, views, ({ db, viewer, input }) => explore.show(db, viewer, input.transactionId)),
  route(moneyRequests, views, ({ db, viewer, input }) => requests.list(db, viewer, input)),
  route(
    desk.adjustPoints,
    adjusts,
    ({ db, viewer, input, client }) => adjust(db, viewer, client, { ...input, currency: 'points' }),
    onceOnly,
  ),
  route(
    desk.adjustBalance,
    adjusts,
    ({ db, viewer, input, client }) => adjust(db, viewer, client, { ...input, currency: 'cny' }),
    onceOnly,
  ),
  route(declineRequest, views, ({ db, viewer, input, client }) => requests.decline(db, viewer, client, input)),
  route(desk.reverseTransaction, reverses, ({ db, viewer, input, client }) => reverseByHand(db, viewer, client, input), onceOnly),
  route(desk.previewRules, staff('setting.view'), ({ db, input }) => preview(db, input), { longRunning: true }),
  route(contract.books, staff('wallet.freeze'), async ({ db }) => {
    const { frozen, looks, late } = await booksState(db)
    return {
      frozen: frozen && { ...frozen, at: frozen.at.toISOString() },
      looks: looks.map((look) => ({ ...look, at: look.at.toISOString() })),
      late: late.map(({ of, since }) => ({ of, since: since.toISOString() })),
    }
  }),
  route(contract.freezeBooks, freezes, ({ db, viewer, client, input }) => freezing.freezeManually(db, viewer.staff, client, input.reason)),
  route(contract.thawBooks, freezes, ({ db, viewer, client, input }) => freezing.thaw(db, viewer.staff, client, input.reason)),
  route(
    approveRequest,
    staff('wallet.view', { proved: true }),
    ({ db, viewer, input, client }) => requests.approve(db, viewer, client, input.requestId),
    onceOnly,
  ),
]
