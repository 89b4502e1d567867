import { members, route } from '#base/server/http/route.ts'
import * as contract from '#draft/contract.ts'
import * as draft from '#draft/server/draft.ts'
import { list } from '#draft/server/list.ts'

// Each pause of typing saves after a second, so a minute of writing makes many calls.
const limits = [{ times: 90, seconds: 60, by: 'member' }] as const

export const routes = [
  route(contract.oneDraft, members, async ({ db, viewer, input }) => ({ draft: await draft.find(db, viewer, input.place) })),
  route(contract.saveDraft, members, ({ db, viewer, input, client }) => draft.save(db, viewer, input, client), { limits }),
  route(contract.dropDraft, members, ({ db, viewer, input }) => draft.drop(db, viewer, input.place, input.version), { limits }),
  route(contract.listDrafts, members, ({ db, viewer }) => list(db, viewer)),
]
