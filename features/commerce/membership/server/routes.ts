import { anyone, atMost, members, route } from '#base/server/http/route.ts'
import * as contract from '#membership/contract.ts'
import { buy } from '#membership/server/buy.ts'
import { cardRoutes } from '#membership/server/card-routes.ts'
import * as cards from '#membership/server/cards.ts'
import { listOwn } from '#membership/server/orders.ts'
import { quote } from '#membership/server/quote.ts'
import * as role from '#role/server/role.ts'

// Cards show rights of roles and names of tags.
const cacheTags = () => ['membership', 'role', 'tags', 'setting']

export const routes = [
  route(contract.membershipCardList, anyone, ({ db }) => cards.list(db), { cacheTags }),
  route(contract.membershipCard, anyone, ({ db, input }) => cards.show(db, input.membershipCardId, input.language), { cacheTags }),
  route(contract.membershipQuote, members, ({ db, viewer, input }) => quote(db, viewer, input), {
    limits: atMost({ times: 60, seconds: 60 }),
  }),
  route(contract.buyMembership, role.unlessBanned('money'), ({ db, viewer, input }) => buy(db, viewer, input), {
    requiresIdempotencyKey: true,
    limits: atMost({ times: 20, seconds: 60 }),
  }),
  route(contract.membershipCardOrderList, members, ({ db, viewer, input }) => listOwn(db, viewer, input)),
  ...cardRoutes,
]
