import * as audit from '#audit/server/audit.ts'
import { anyone, members, route, staff, type Guard, type Member } from '#base/server/http/route.ts'
import * as contract from '#red-envelope/contract.ts'
import * as figuresContract from '#red-envelope/figures-contract.ts'
import * as listContract from '#red-envelope/list-contract.ts'
import { claim, prepare } from '#red-envelope/server/claim.ts'
import { figures } from '#red-envelope/server/figures.ts'
import { form, give } from '#red-envelope/server/give.ts'
import * as forStaff from '#red-envelope/server/for-staff.ts'
import { queueClaim } from '#red-envelope/server/queue.ts'
import * as lists from '#red-envelope/server/lists.ts'
import { show } from '#red-envelope/server/view.ts'
import * as desk from '#red-envelope/staff-contract.ts'
import * as role from '#role/server/role.ts'

const views = staff('redEnvelope.view')

const openers: Guard<Member> = (viewer) => {
  const member = members(viewer)
  role.refuseBanned(member, ['money'], 'redEnvelope.banOpening')
  return member
}

export const routes = [
  route(contract.envelopeForm, members, ({ db, viewer }) => form(db, viewer)),
  route(contract.envelope, anyone, ({ db, viewer, input }) => show(db, viewer, input.envelopeId)),
  route(listContract.envelopesOfThreads, anyone, ({ db, viewer, input }) => lists.ofThread(db, viewer, input.topicId)),
  route(listContract.envelopeShares, anyone, ({ db, viewer, input }) => lists.shares(db, viewer, input)),
  route(listContract.givenEnvelopes, members, ({ db, viewer, input }) => lists.given(db, viewer, input)),
  route(listContract.distribution, members, ({ db, viewer, input }) => lists.openersOfOwn(db, viewer, input)),
  route(listContract.receivedEnvelopes, members, ({ db, viewer, input }) => lists.received(db, viewer, input)),
  route(contract.openEnvelope, openers, ({ db, viewer, input, prepared: solved }) => claim(db, viewer, input.envelopeId, solved), {
    requiresIdempotencyKey: true,
    prepare,
    // A repeated claim answers with the same share, whatever the second captcha's result.
    mayPrepareAgain: true,
    queue: ({ db, viewer, input }, run) => queueClaim(db, viewer, input.envelopeId, run),
  }),
  route(
    contract.giveEnvelope,
    role.unlessBanned('money'),
    async ({ db, viewer, input }) => {
      const envelopeId = await give(db, viewer, {}, { ...input, envelopeKind: 'targeted' })
      return { envelopeId: envelopeId ?? '' }
    },
    { requiresIdempotencyKey: true },
  ),
  route(desk.staffEnvelopes, views, ({ db, input }) => forStaff.list(db, input)),
  route(desk.staffEnvelopeTotals, views, ({ db, input }) => forStaff.totals(db, input), { longRunning: true }),
  route(desk.noteEnvelopeExport, views, audit.noteExport('redEnvelope.export')),
  route(figuresContract.envelopeFigures, views, ({ db, input }) => figures(db, input), { longRunning: true }),
  route(figuresContract.noteFiguresExport, views, audit.noteExport('redEnvelope.figuresExport')),
  route(desk.staffEnvelope, views, ({ db, input }) => forStaff.show(db, input.envelopeId)),
  route(desk.staffShares, views, ({ db, input }) => forStaff.shares(db, input)),
  route(
    desk.stopEnvelope,
    staff('redEnvelope.stop', { proved: true }),
    ({ db, viewer, input, client }) => forStaff.stop(db, viewer, client, input),
    { requiresIdempotencyKey: true },
  ),
]
