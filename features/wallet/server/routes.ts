import { on, staff } from '#base/server/route.ts'
import * as contract from '#wallet/contract.ts'
import { booksState } from '#wallet/server/books.ts'
import * as hand from '#wallet/server/freeze.ts'

const freezes = staff('wallet.freeze', { proved: true })

export const routes = [
  on(contract.books, staff('wallet.freeze'), async ({ db }) => {
    const { frozen, looks } = await booksState(db)
    return {
      frozen: frozen && { ...frozen, at: frozen.at.toISOString() },
      looks: looks.map((look) => ({ ...look, at: look.at.toISOString() })),
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
