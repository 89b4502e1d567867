import * as audit from '#audit/server/audit.ts'
import { anyone, members, on, staff } from '#base/server/route.ts'
import * as contract from '#red-envelope/contract.ts'
import * as figuresContract from '#red-envelope/figures-contract.ts'
import * as listContract from '#red-envelope/list-contract.ts'
import { claim, prepare } from '#red-envelope/server/claim.ts'
import { figures } from '#red-envelope/server/figures.ts'
import { form, give } from '#red-envelope/server/give.ts'
import * as forStaff from '#red-envelope/server/for-staff.ts'
import { queued } from '#red-envelope/server/queue.ts'
import * as lists from '#red-envelope/server/lists.ts'
import { show } from '#red-envelope/server/view.ts'
import * as desk from '#red-envelope/staff-contract.ts'
import * as role from '#role/server/role.ts'

const views = staff('redEnvelope.view')

export const routes = [
  on(contract.envelopeForm, members, ({ db, viewer }) => form(db, viewer)),
  on(contract.envelope, anyone, ({ db, viewer, input }) => show(db, viewer, input.envelopeId)),
  on(listContract.envelopesOfThreads, anyone, ({ db, viewer, input }) => lists.ofThread(db, viewer, input.topicId)),
  on(listContract.envelopeShares, anyone, ({ db, viewer, input }) => lists.shares(db, viewer, input)),
  on(listContract.givenEnvelopes, members, ({ db, viewer, input }) => lists.given(db, viewer, input)),
  on(listContract.distribution, members, ({ db, viewer, input }) => lists.shared(db, viewer, input)),
  on(listContract.receivedEnvelopes, members, ({ db, viewer, input }) => lists.received(db, viewer, input)),
  on(contract.openEnvelope, role.free('money'), ({ db, viewer, input, prepared: solved }) => claim(db, viewer, input.envelopeId, solved), {
    demandsKey: true,
    prepare,
    // A repeated claim is answered with the same share, whatever came of the captcha the second time.
    preparesAgain: true,
    queue: ({ db, viewer, input }, run) => queued(db, viewer, input.envelopeId, run),
  }),
  on(
    contract.giveEnvelope,
    role.free('money'),
    async ({ db, viewer, input }) => {
      const envelopeId = await give(db, viewer, {}, { ...input, envelopeKind: 'targeted' })
      return { envelopeId: envelopeId ?? '' }
    },
    { demandsKey: true },
  ),
  on(desk.staffEnvelopes, views, ({ db, input }) => forStaff.list(db, input)),
  on(desk.staffEnvelopeTotals, views, ({ db, input }) => forStaff.totals(db, input), { longRunning: true }),
  on(desk.noteEnvelopeExport, views, audit.noteFile('redEnvelope.export')),
  on(figuresContract.envelopeFigures, views, ({ db, input }) => figures(db, input), { longRunning: true }),
  on(figuresContract.noteFiguresExport, views, audit.noteFile('redEnvelope.figuresExport')),
  on(desk.staffEnvelope, views, ({ db, input }) => forStaff.show(db, input.envelopeId)),
  on(desk.staffShares, views, ({ db, input }) => forStaff.shares(db, input)),
  on(
    desk.stopEnvelope,
    staff('redEnvelope.stop', { proved: true }),
    async ({ db, viewer, input, from }) => {
      await forStaff.stop(db, viewer, from, input)
      return {}
    },
    { demandsKey: true },
  ),
]
