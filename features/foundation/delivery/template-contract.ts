import { z } from 'zod'
import { ChangedSince } from '#audit/contract.ts'
import { nothing, read, write } from '#base/contract.ts'
import { plainString, plainLine } from '#base/plain-text.ts'
import {
  emailAddress,
  NoEmails,
  templateNames,
  TextUnreadable,
  TooManySent,
  UnknownValue,
  ValueMissing,
  WrongEmail,
} from '#delivery/contract.ts'

export const languages = ['zh', 'en'] as const
export const maxSubjectLength = 1_000
export const maxTextLength = 4_000

const one = { template: z.enum(templateNames), language: z.enum(languages) }
const Wording = z.object({ subject: z.string(), text: z.string() })
const typed = { subject: plainLine.min(1).max(maxSubjectLength), text: plainString.min(1).max(maxTextLength) }
const errors = [TextUnreadable, UnknownValue, ValueMissing]
const Preview = Wording.extend({ light: z.string(), dark: z.string() })

export const templateList = read('/admin/delivery/template/list', {
  summary: 'Message templates, with the languages in which staff changed them.',
  input: nothing,
  output: z.object({ templates: z.array(z.object({ name: z.enum(templateNames), changed: z.array(z.enum(languages)) })) }),
})

export const templateView = read('/admin/delivery/template/view', {
  summary: 'A message template in both languages, with a preview and earlier versions.',
  input: z.object({ template: one.template }),
  output: z.object({
    name: one.template,
    /** The placeholders. */
    values: z.array(z.string()),
    /** The placeholders that the text must contain. */
    keeps: z.array(z.string()),
    /** A provider of text messages sends its own approved text. */
    isApproved: z.boolean(),
    /** Whether e-mail is configured, so that staff can send it to themselves. */
    canTest: z.boolean(),
    inLanguages: z.array(
      Wording.extend({
        language: one.language,
        standard: Wording,
        isChanged: z.boolean(),
        version: z.number(),
        preview: Preview,
        history: z.array(z.object({ at: z.iso.datetime(), by: z.string(), before: Wording, after: Wording })),
      }),
    ),
  }),
})

export const previewTemplate = write('/admin/delivery/template/preview', {
  summary: 'Renders a template with sample values. Nothing is stored.',
  input: z.object({ ...one, ...typed }),
  output: Preview,
  errors,
  availableWhile: 'readOnly',
})

export const editTemplate = write('/admin/delivery/template/edit', {
  summary: 'Changes a message template in one language.',
  input: z.object({ ...one, ...typed, version: z.number().int().min(0) }),
  output: nothing,
  errors: [...errors, ChangedSince],
})

export const returnTemplate = write('/admin/delivery/template/return', {
  summary: 'Resets a message template to its default in one language.',
  input: z.object({ ...one, version: z.number().int().min(0) }),
  output: nothing,
  errors: [ChangedSince],
})

export const testTemplate = write('/admin/delivery/template/test', {
  summary: 'Sends the saved template with sample values to a given e-mail address, as a test.',
  input: z.object({ ...one, email: emailAddress }),
  output: nothing,
  errors: [WrongEmail, NoEmails, TooManySent],
})
