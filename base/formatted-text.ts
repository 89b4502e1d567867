import { z } from 'zod'

/** A text in somebody else's format; the error with this code describes it. */
export function formattedText(form: RegExp, code: string, text: z.ZodString = z.string()) {
  return text.refine((typed) => form.test(typed), { params: { code } })
}
