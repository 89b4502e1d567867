import { z } from 'zod'
import { time, write } from '#base/contract.ts'
import { bulkSelection } from '#base/list.ts'
import { kind, staffList } from '#base/staff-list.ts'
import { bulkEndpoint } from '#batch/contract.ts'
import { reason } from '#member/contract.ts'
import { NameView } from '#role/contract.ts'

export const joiningStates = ['waiting', 'approved', 'refused'] as const

const wordOf = (state: string) => `joining${state}`
const state = kind.labelled('joiningState', kind.choice(joiningStates, wordOf))

export const joiningList = staffList('/admin/joining/list', {
  summary: 'Registrations that require approval, with the answers to the profile fields, longest waiting first.',
  words: 'memberAdmin',
  columns: {
    account: kind.text,
    nickname: kind.orNull(kind.text),
    askedAt: kind.labelled('joiningAsked', kind.time),
    answers: kind.labelled('joiningAnswers', kind.other(z.array(z.object({ name: NameView, said: z.array(NameView) })))),
    state,
    ip: kind.extra(kind.labelled('joinedIp', kind.orNull(kind.text))),
    region: kind.extra(kind.region),
  },
  fields: { reason: z.string(), decided: z.object({ at: time, by: z.string().nullable() }).nullable() },
  filters: { state: kind.labelled('joiningState', kind.defaultChoice(joiningStates, wordOf)) },
  sorts: { asked: 'askedAt' },
  order: 'asc',
})

export const approveJoining = write('/admin/joining/approve', {
  summary: 'Approves pending or rejected registrations and notifies each member. Batches of more than 50 continue in the background.',
  input: z.object(bulkSelection),
  ...bulkEndpoint,
})

export const refuseJoining = write('/admin/joining/refuse', {
  summary:
    'Rejects pending registrations with a notified reason; reading stays allowed. Batches of more than 50 continue in the background.',
  input: z.object({ ...bulkSelection, reason }),
  ...bulkEndpoint,
})
