import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import { id, nothing, read, write } from '#base/contract.ts'
import { bulkSelection, bulkRefusals } from '#base/list.ts'
import { field, staffList } from '#base/staff-list.ts'
import { refuseUnused } from '#base/unused-fields.ts'
import { AnnouncementView, ChangedBy, SentAlready, TextNeeded, TimeNeeded, TooSoon } from '#notification/contract.ts'

/** A draft; scheduled; sent; removed. */
export const states = ['draft', 'waiting', 'sent', 'removed'] as const
export const maxTextLength = 10_000

const moment = z.iso.datetime({ offset: true })
const text = plainString.max(maxTextLength).default('')

export const noticeList = staffList('/admin/notice/list', {
  summary: 'Announcements by staff: drafts, scheduled and sent ones.',
  words: 'notificationAdmin',
  columns: {
    text: field.composed,
    state: field.choice(states),
    sendsAt: field.orNull(field.time),
    languages: field.composed,
    writtenBy: field.labelled('by', field.text),
    actions: field.composed,
  },
  /** The first line in each language; empty where it was left out. */
  values: { zh: z.string(), en: z.string() },
  filters: {
    state: { ...field.choice(states), any: 'notRemoved' },
    keyword: field.typed(z.string().trim().max(90).optional()),
    ...field.times,
  },
  sorts: { made: null },
})
export type Row = z.output<typeof noticeList.row>

export const noticeSource = read('/admin/notice/view', {
  summary: 'An announcement in its editable form.',
  input: z.object({ noticeId: id }),
  output: noticeList.row.extend({ textZh: z.string(), textEn: z.string(), version: z.number(), says: AnnouncementView }),
})

export const previewNotice = write('/admin/notice/preview', {
  summary: 'Renders an announcement as its readers see it, in both languages.',
  input: z.object({ textZh: text, textEn: text }),
  output: AnnouncementView,
})

/** Sent at once, at a time, or kept as a draft. */
const draft = { textZh: text, textEn: text, when: z.enum(['now', 'later', 'never']), sendsAt: moment.optional() }
const uses = { sendsAt: ({ when }: { when: string }) => when === 'later' }
const unfit = [TextNeeded, TimeNeeded, TooSoon]

export const addNotice = write('/admin/notice/add', {
  summary: 'Creates an announcement in Markdown, in one language or both, for all members at the time of sending.',
  input: refuseUnused(z.object(draft), uses),
  output: z.object({ noticeId: z.string() }),
  errors: unfit,
})

export const editNotice = write('/admin/notice/edit', {
  summary: 'Edits an unsent announcement or its sending time.',
  input: refuseUnused(z.object({ noticeId: id, version: z.int().min(1), ...draft }), uses),
  output: nothing,
  errors: [...unfit, SentAlready, ChangedBy],
})

export const withdrawNotice = write('/admin/notice/withdraw', {
  summary: 'Cancels the sending of a scheduled announcement, which becomes a draft.',
  input: z.object({ noticeId: id }),
  output: nothing,
  errors: [SentAlready],
})

export const removeNotices = write('/admin/notice/remove', {
  summary: 'Removes announcements: sent ones from the lists of all members, unsent ones from the staff list.',
  input: z.object(bulkSelection),
  output: nothing,
  errors: bulkRefusals,
})

export const restoreNotices = write('/admin/notice/restore', {
  summary: 'Restores removed announcements, with each member’s read and deleted marks.',
  input: z.object(bulkSelection),
  output: nothing,
  errors: bulkRefusals,
})
