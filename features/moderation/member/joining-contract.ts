import { z } from 'zod'
import { time, write } from '#base/contract.ts'
import { bulkSelection } from '#base/list.ts'
import { field, staffList } from '#base/staff-list.ts'
import { bulkEndpoint } from '#batch/contract.ts'
import { reason } from '#member/contract.ts'
import { NameView } from '#role/contract.ts'

export const joiningStates = ['waiting', 'approved', 'refused'] as const

const wordOf = (state: string) => `joining${state}`
const state = field.labelled('joiningState', field.choice(joiningStates, wordOf))

export const joiningList = staffList('/admin/joining/list', {
  summary: 'Registrations that require approval, with the answers to the profile fields, longest waiting first.',
  words: 'memberAdmin',
  columns: {
    account: field.text,
    nickname: field.orNull(field.text),
    askedAt: field.labelled('joiningAsked', field.time),
    answers: field.labelled('joiningAnswers', field.other(z.array(z.object({ name: NameView, said: z.array(NameView) })))),
    state,
    ip: field.extra(field.labelled('joinedIp', field.orNull(field.text))),
    region: field.extra(field.region),
  },
  values: { reason: z.string(), decided: z.object({ at: time, by: z.string().nullable() }).nullable() },
  filters: { state: field.labelled('joiningState', field.defaultChoice(joiningStates, wordOf)) },
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
