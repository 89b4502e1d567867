import type { z } from 'zod'

export const bothLanguages = ['zh', 'en'] as const
export type Bilingual = Record<(typeof bothLanguages)[number], string>

/** The two fields of one text, in Chinese and in English. */
type Pair = readonly [zh: string, en: string]
type WithText<Form, Name extends PropertyKey> = Omit<Form, Name> & Record<Name, string>

/** A form with texts in both languages. One of a pair may be empty where the site does not offer its language: the other is used for it. */
export function withLanguageFallback<Form extends z.ZodObject, const Pairs extends readonly Pair[]>(form: Form, ...pairs: Pairs) {
  return form
    .superRefine((values, context) => {
      for (const [zh, en] of pairs) {
        if (values[zh] !== undefined || values[en] !== undefined) continue
        for (const name of [zh, en]) context.addIssue({ code: 'custom', path: [name], params: { code: 'validation.required' } })
      }
    })
    .transform((values) => {
      const texts = pairs.flatMap(([zh, en]) => [
        [zh, values[zh] ?? values[en]],
        [en, values[en] ?? values[zh]],
      ])
      return { ...values, ...Object.fromEntries(texts) } as WithText<z.output<Form>, Pairs[number][number]>
    })
}
