import { z } from 'zod'
import { HandledAlready, NothingThere, ReportedAlready, SourceView, StillRunning } from '#assistant/contract.ts'
import { id, nothing, read, time, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { field, staffList } from '#base/staff-list.ts'
import { Banned } from '#role/contract.ts'
import { OwnCase } from '#staff/contract.ts'
import { AuthorView } from '#user/contract.ts'

export const reportReasons = ['incorrect', 'harmful', 'illegal', 'privacy', 'other'] as const

export const reportAnswer = write('/assistant/report', {
  summary: 'Reports an answer to staff, who can then read a copy of the conversation up to it, and nothing else.',
  input: z.object({ turnId: id, reason: z.enum(reportReasons), note: plainString.max(1_000).default('') }),
  output: nothing,
  errors: [ReportedAlready, StillRunning, NothingThere, Banned],
})

const reason = field.choice(reportReasons, (name) => `reason${name}`)

/** Each row is a report without the conversation. */
export const answerReportList = staffList('/admin/assistant/report/list', {
  summary: 'Reports of assistant answers, without the conversations.',
  words: 'assistantAdmin',
  columns: {
    reportedAt: field.time,
    member: field.labelled('reporter', field.other(AuthorView)),
    reason,
    note: field.text,
    state: field.composed,
  },
  values: {
    /** The answer to the reporter. */
    result: z.string().nullable(),
    handledBy: z.string().nullable(),
    handledAt: time.nullable(),
    /** False for one's own report. */
    mayHandle: z.boolean(),
  },
  filters: { state: field.defaultChoice(['open', 'handled', 'all']) },
  sorts: { reported: 'reportedAt' },
  order: 'asc',
})

export const answerReportView = read('/admin/assistant/report/view', {
  summary: 'A report of an assistant answer, without the conversation.',
  input: z.object({ reportId: id }),
  output: answerReportList.row,
})

const ReportedTurn = z.object({
  id: z.string(),
  prompt: z.string(),
  answer: z.string(),
  sources: z.array(SourceView),
  /** The model that answered, by its name for staff. */
  model: z.string().nullable(),
  isStandIn: z.boolean(),
  at: z.iso.datetime(),
})
export type ReportedTurn = z.infer<typeof ReportedTurn>

export const openAnswerReport = write('/admin/assistant/report/open', {
  summary: 'Opens the reported conversation as it was at the time, up to the reported answer. The access is logged.',
  input: z.object({ reportId: id }),
  output: z.object({
    /** Null once the copy was deleted. */
    turns: z.array(ReportedTurn).nullable(),
  }),
})

export const handleAnswerReport = write('/admin/assistant/report/handle', {
  summary: 'Closes the report of an answer. The reporter is notified.',
  input: z.object({ reportId: id, result: plainString.max(1_000).default('') }),
  output: nothing,
  errors: [HandledAlready, OwnCase],
})
