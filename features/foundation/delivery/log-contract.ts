import { z } from 'zod'
import { field, staffList } from '#base/staff-list.ts'
import { channels, states, templateNames } from '#delivery/contract.ts'

const channel = field.choice(channels, (name) => `${name}Channel`)
const state = field.choice(states)

export const deliveryList = staffList('/admin/delivery/list', {
  summary: 'Log of outgoing e-mails and text messages with their delivery state. A search for an address or an account is recorded.',
  words: 'deliveryAdmin',
  columns: {
    at: field.time,
    /** Masked. */
    to: field.text,
    channel,
    /** May be a template that only an older version knew. */
    template: field.text,
    state,
    error: field.orNull(field.text),
    tries: field.extra(field.number),
    by: field.extra(field.orNull(field.text)),
  },
  values: { isTest: z.boolean() },
  filters: {
    channel,
    template: field.choice(templateNames, (name) => `${name}Template`),
    state,
    /** A whole e-mail address or number, or the account name of a member, for their addresses. */
    to: field.labelled('toWhom', field.typed(z.string().trim().max(190).optional())),
  },
  sorts: { at: 'at' },
})
