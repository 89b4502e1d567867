import { anyone, doneAtMost, members, on } from '#base/server/route.ts'
import * as contract from '#membership/contract.ts'
import { buy } from '#membership/server/buy.ts'
import { cardRoutes } from '#membership/server/card-routes.ts'
import * as cards from '#membership/server/cards.ts'
import { mine } from '#membership/server/orders.ts'
import { quote } from '#membership/server/quote.ts'
import * as role from '#role/server/role.ts'

// Rights of roles and names of tags stand on the cards.
const cacheTags = () => ['membership', 'role', 'tags', 'setting']

export const routes = [
  on(contract.membershipCardList, anyone, ({ db }) => cards.list(db), { cacheTags }),
  on(contract.membershipCard, anyone, ({ db, input }) => cards.show(db, input.membershipCardId, input.language), { cacheTags }),
  on(contract.membershipQuote, members, ({ db, viewer, input }) => quote(db, viewer, input), {
    limits: doneAtMost({ times: 60, seconds: 60 }),
  }),
  on(contract.buyMembership, role.free('money'), ({ db, viewer, input }) => buy(db, viewer, input), {
    demandsKey: true,
    limits: doneAtMost({ times: 20, seconds: 60 }),
  }),
  on(contract.membershipCardOrderList, members, ({ db, viewer, input }) => mine(db, viewer, input)),
  ...cardRoutes,
]
