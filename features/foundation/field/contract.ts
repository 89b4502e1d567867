import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import { withLanguageFallback } from '#base/both-languages.ts'
import { refuseUnused } from '#base/unused-fields.ts'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { NameView } from '#role/contract.ts'
import { WordsInField } from '#sensitive-word/contract.ts'

export const kinds = ['text', 'textarea', 'radio', 'checkbox', 'select'] as const
/** The allowed characters of an answer. */
export const answerFormats = ['anything', 'digits', 'letters', 'lettersAndDigits', 'chinese', 'pattern'] as const
/** Kinds with options instead of text. */
export const choiceKinds: readonly string[] = ['radio', 'checkbox', 'select']

// These three appear at the field they concern; its name is made of its id.
export const AnswerMissing = refusal('field.answerMissing', { field: 'answers' })
export const AnswerTooLong = refusal('field.answerTooLong', { field: 'answers' })
export const AnswerUnfit = refusal('field.answerUnfit', { field: 'answers' })
export const answerRefusals = [AnswerMissing, AnswerTooLong, AnswerUnfit, WordsInField]

export const FieldChanged = refusal('field.changed', { status: 409, field: 'version' })
export const PatternUnfit = refusal('field.patternUnfit', { field: 'pattern' })
export const OptionsMissing = refusal('field.optionsMissing', { field: 'options' })

/** A custom profile field that staff define for this site. */
export const FieldView = z.object({
  id: z.string(),
  name: NameView,
  help: NameView,
  kind: z.enum(kinds),
  takes: z.enum(answerFormats),
  options: z.array(z.object({ key: z.string(), name: NameView })),
  longest: z.number(),
  isRequired: z.boolean(),
})
export type FieldView = z.infer<typeof FieldView>

/** Answers by the id of the field: one text, or the keys of the chosen options. */
export const answers = z.record(id, z.array(z.string().max(2000)).max(100)).meta({ maxProperties: 100 })
export type Answers = z.infer<typeof answers>

/** Public answers of a member. */
export const AnswerView = z.object({ name: NameView, said: z.array(NameView) })

const name = plainString.min(1).max(50).optional()
const help = plainString.max(200).default('')

const fieldForm = {
  zh: name,
  en: name,
  helpZh: help,
  helpEn: help,
  kind: z.enum(kinds),
  takes: z.enum(answerFormats).default('anything'),
  pattern: z.string().max(200).default(''),
  options: z
    .array(withLanguageFallback(z.object({ key: z.string().regex(/^[A-Za-z0-9-]{1,30}$/), zh: name, en: name }), ['zh', 'en']))
    .max(100)
    .default([]),
  longest: z.int().min(1).max(2000).default(100),
  isRequired: z.boolean().default(false),
  isSearched: z.boolean().default(false),
  isVisible: z.boolean().default(false),
  sort: z.int().min(-1000).max(1000).default(0),
}

type Use = { kind: string; takes: string }
const fieldUses = {
  pattern: ({ kind, takes }: Use) => takes === 'pattern' && !choiceKinds.includes(kind),
  options: ({ kind }: Use) => choiceKinds.includes(kind),
}

export const fieldList = read('/admin/field/list', {
  summary: 'Custom profile fields in display order.',
  input: nothing,
  output: z.object({
    fields: z.array(
      FieldView.extend({
        pattern: z.string(),
        isSearched: z.boolean(),
        isVisible: z.boolean(),
        sort: z.number(),
        version: z.number(),
        answers: z.number(),
      }),
    ),
  }),
})

export const addField = write('/admin/field/add', {
  summary: 'Adds a custom profile field to the registration form and the profile.',
  input: withLanguageFallback(refuseUnused(z.object(fieldForm), fieldUses), ['zh', 'en']),
  output: z.object({ fieldId: z.string() }),
  errors: [PatternUnfit, OptionsMissing],
})

export const editField = write('/admin/field/edit', {
  summary: 'Changes a custom profile field. Existing answers stay.',
  input: withLanguageFallback(refuseUnused(z.object({ fieldId: id, version: z.int(), ...fieldForm }), fieldUses), ['zh', 'en']),
  output: nothing,
  errors: [FieldChanged, PatternUnfit, OptionsMissing],
})

export const removeField = write('/admin/field/remove', {
  summary: 'Removes a custom profile field and hides its answers.',
  input: z.object({ fieldId: id }),
  output: nothing,
})
