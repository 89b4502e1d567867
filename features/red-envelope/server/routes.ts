import { members, on } from '#base/server/route.ts'
import * as contract from '#red-envelope/contract.ts'
import * as listContract from '#red-envelope/list-contract.ts'
import { claim } from '#red-envelope/server/claim.ts'
import { form, give } from '#red-envelope/server/give.ts'
import * as lists from '#red-envelope/server/lists.ts'
import { show } from '#red-envelope/server/view.ts'
import * as role from '#role/server/role.ts'

export const routes = [
  on(contract.envelopeForm, members, ({ db, viewer }) => form(db, viewer)),
  on(contract.envelope, members, ({ db, viewer, input }) => show(db, viewer, input.envelopeId)),
  on(listContract.envelopesOfThreads, members, ({ db, viewer, input }) => lists.ofThread(db, viewer, input.topicId)),
  on(listContract.envelopeShares, members, ({ db, viewer, input }) => lists.shares(db, viewer, input)),
  on(listContract.givenEnvelopes, members, ({ db, viewer, input }) => lists.given(db, viewer, input)),
  on(listContract.distribution, members, ({ db, viewer, input }) => lists.shared(db, viewer, input)),
  on(listContract.receivedEnvelopes, members, ({ db, viewer, input }) => lists.received(db, viewer, input)),
  on(contract.openEnvelope, role.free('money'), ({ db, viewer, input }) => claim(db, viewer, input.envelopeId)),
  on(
    contract.giveEnvelope,
    role.free('money'),
    async ({ db, viewer, input }) => {
      const envelopeId = await give(db, viewer, { topicId: null, isPending: false }, { ...input, envelopeKind: 'targeted' })
      return { envelopeId: envelopeId ?? '' }
    },
    { demandsKey: true },
  ),
]
