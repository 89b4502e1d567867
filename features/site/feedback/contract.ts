import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { ChangedSince } from '#audit/contract.ts'
import { CaptchaNeeded, CaptchaWrong, captchaFields } from '#captcha/contract.ts'
import { id, nothing, read, time, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { bulkSelection, bulkRefusals } from '#base/list.ts'
import { field, staffList } from '#base/staff-list.ts'
import { Banned } from '#role/contract.ts'
import { WordsInField } from '#sensitive-word/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { AuthorView } from '#user/contract.ts'

export const maxLength = { name: 30, contact: 100, content: 1_000 } as const

export const feedbackForm = read('/feedback/form', {
  summary: 'Whether feedback is open, and whether it requires a captcha.',
  input: nothing,
  output: z.object({ isOpen: z.boolean(), needsCaptcha: z.boolean() }),
})

export const sendFeedback = write('/feedback/add', {
  summary: 'Sends feedback to staff. No account is required.',
  input: z.object({
    name: plainString.min(1).max(maxLength.name),
    contact: plainString.min(1).max(maxLength.contact),
    content: plainString.min(1).max(maxLength.content),
    ...captchaFields,
  }),
  output: nothing,
  errors: [FunctionClosed, Banned, CaptchaNeeded, CaptchaWrong, WordsInField],
  allowedWhilePending: true,
})

export const feedbackList = staffList('/admin/feedback/list', {
  summary: 'Feedback from members and visitors.',
  words: 'feedbackAdmin',
  columns: {
    sentAt: field.labelled('sent', field.time),
    who: field.composed,
    content: field.text,
    handled: field.labelled('state', field.composed),
    ip: field.extra(field.text),
    actions: field.composed,
    region: field.extra(field.region),
  },
  values: {
    name: z.string(),
    contact: z.string(),
    /** Null for a visitor. */
    member: AuthorView.nullable(),
    handledBy: z.string().nullable(),
    handledAt: time.nullable(),
    remark: z.string(),
    isDeleted: z.boolean(),
    version: z.number(),
  },
  filters: { state: field.defaultChoice(['open', 'handled', 'deleted', 'all']), ...field.times },
  sorts: { sent: 'sentAt' },
  order: 'asc',
})

export const handleFeedback = write('/admin/feedback/handle', {
  summary: 'Marks feedback as handled, with a note, or reopens it.',
  input: z.object({ feedbackId: id, version: z.int().min(1), isHandled: z.boolean(), remark: plainString.max(1_000).default('') }),
  output: nothing,
  errors: [ChangedSince],
})

export const removeFeedback = write('/admin/feedback/remove', {
  summary: 'Removes feedback from the list.',
  input: z.object(bulkSelection),
  output: nothing,
  errors: bulkRefusals,
})

export const restoreFeedback = write('/admin/feedback/restore', {
  summary: 'Restores removed feedback.',
  input: z.object(bulkSelection),
  output: nothing,
  errors: bulkRefusals,
})

export const noteFeedbackExport = exportOf('/admin/feedback/export')
