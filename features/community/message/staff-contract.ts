import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import { id, nothing, read, time, write } from '#base/contract.ts'
import { field, staffList } from '#base/staff-list.ts'
import { DecidedAlready } from '#message/contract.ts'
import { OwnCase } from '#staff/contract.ts'
import { AuthorView } from '#user/contract.ts'
import { SegmentView } from '#writing/contract.ts'

export const outcomes = ['upheld', 'dismissed'] as const

/** Each row is a report without any message text. */
export const messageReportList = staffList('/admin/messageReport/list', {
  summary: 'Reports of private messages, without the message texts.',
  words: 'messageAdmin',
  columns: {
    reportedAt: field.labelled('reported', field.time),
    author: field.other(AuthorView),
    reporter: field.other(AuthorView),
    reason: field.text,
    state: field.composed,
  },
  values: {
    outcome: z.enum(outcomes).nullable(),
    /** The reporter's notification of the outcome. */
    result: z.string().nullable(),
    decidedBy: z.string().nullable(),
    decidedAt: time.nullable(),
    /** False for the author and the reporter. */
    mayDecide: z.boolean(),
  },
  filters: { state: field.defaultChoice(['open', 'decided', 'all']) },
  sorts: { reported: 'reportedAt' },
  order: 'asc',
})

export const messageReportView = read('/admin/messageReport/view', {
  summary: 'A report of a private message, without the message text.',
  input: z.object({ reportId: id }),
  output: messageReportList.row,
})

export const openMessageReport = write('/admin/messageReport/open', {
  summary: 'Opens a reported message with up to five before and after it, as the reporter saw them. The access is logged.',
  input: z.object({ reportId: id }),
  output: z.object({
    messages: z.array(
      z.object({
        id: z.string(),
        author: AuthorView,
        isReported: z.boolean(),
        segments: z.array(SegmentView),
        sentAt: time,
      }),
    ),
  }),
})
export type OpenedMessage = z.infer<typeof openMessageReport.output>['messages'][number]

export const decideMessageReport = write('/admin/messageReport/decide', {
  summary: 'Decides a report of a private message as upheld or dismissed. The reporter is notified.',
  input: z.object({ reportId: id, outcome: z.enum(outcomes), result: plainString.max(1_000).default('') }),
  output: nothing,
  errors: [DecidedAlready, OwnCase],
})
