import { z } from 'zod'
import { read, write } from '#base/contract.ts'
import { listOutput, listInput, bulkSelection } from '#base/list.ts'
import { bulkEndpoint } from '#batch/contract.ts'
import { reason } from '#member/contract.ts'
import { NameView } from '#role/contract.ts'

export const joiningStates = ['waiting', 'approved', 'refused'] as const

export const joiningList = read('/admin/joining/list', {
  summary: 'Registrations that require approval, with the answers to the profile fields, longest waiting first.',
  input: listInput(['asked'], { state: z.enum(joiningStates).default('waiting') }, { order: 'asc' }),
  output: listOutput(
    z.object({
      id: z.string(),
      account: z.string(),
      nickname: z.string().nullable(),
      askedAt: z.iso.datetime(),
      ip: z.string().nullable(),
      region: z.string().nullable(),
      answers: z.array(z.object({ name: NameView, said: z.array(NameView) })),
      state: z.enum(joiningStates),
      reason: z.string(),
      decided: z.object({ at: z.iso.datetime(), by: z.string().nullable() }).nullable(),
    }),
  ),
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
