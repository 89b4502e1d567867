import { z } from 'zod'
import { kind, staffList } from '#base/staff-list.ts'
import { channels, states, templateNames } from '#delivery/contract.ts'

const channel = kind.choice(channels, (name) => `${name}Channel`)
const state = kind.choice(states)

export const deliveryList = staffList('/admin/delivery/list', {
  summary: 'Log of outgoing e-mails and text messages with their delivery state. A search for an address or an account is recorded.',
  words: 'deliveryAdmin',
  columns: {
    at: kind.time,
    /** Masked. */
    to: kind.text,
    channel,
    /** May be a template that only an older version knew. */
    template: kind.text,
    state,
    error: kind.orNull(kind.text),
    tries: kind.extra(kind.number),
    by: kind.extra(kind.orNull(kind.text)),
  },
  fields: { isTest: z.boolean() },
  filters: {
    channel,
    template: kind.choice(templateNames, (name) => `${name}Template`),
    state,
    /** A whole e-mail address or number, or the account name of a member, for their addresses. */
    to: kind.labelled('toWhom', kind.typed(z.string().trim().max(190).optional())),
  },
  sorts: { at: 'at' },
})
