import { members, route } from '#base/server/http/route.ts'
import * as contract from '#mcp/contract.ts'
import * as tokens from '#mcp/server/tokens.ts'

export const routes = [
  route(contract.tokens, members, ({ db, viewer, client }) => tokens.list(db, viewer, client), { fromPrimary: true }),
  route(contract.addToken, members, ({ db, viewer, input }) => tokens.add(db, viewer, input), { secret: true }),
  route(contract.revokeToken, members, ({ db, viewer, input }) => tokens.revoke(db, viewer, input.tokenId)),
]
