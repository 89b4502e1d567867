import { z } from 'zod'
import { read } from '#base/contract.ts'
import { listOutput, listInput } from '#base/list.ts'
import { channels, states, templateNames } from '#delivery/contract.ts'

const SendingView = z.object({
  id: z.string(),
  channel: z.enum(channels),
  /** May be a template that only an older version knew. */
  template: z.string(),
  /** Masked. */
  to: z.string(),
  state: z.enum(states),
  isTest: z.boolean(),
  tries: z.number(),
  by: z.string().nullable(),
  error: z.string().nullable(),
  at: z.iso.datetime(),
})

export const deliveryList = read('/admin/delivery/list', {
  summary: 'Log of outgoing e-mails and text messages with their delivery state. A search for an address or an account is recorded.',
  input: listInput(['at'], {
    channel: z.enum(channels).optional(),
    template: z.enum(templateNames).optional(),
    state: z.enum(states).optional(),
    /** A whole e-mail address or number, or the account name of a member, for their addresses. */
    to: z.string().trim().max(190).optional(),
  }),
  output: listOutput(SendingView),
})
