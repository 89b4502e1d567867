import { z } from 'zod'

/** A text in somebody else's format; the error with this code describes it. */
export function formattedText(form: RegExp, code: string) {
  return z.string().refine((text) => form.test(text), { params: { code } })
}
