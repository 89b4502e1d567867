// Inputs of the tools by which models and programs read the forum.
import { z } from 'zod'

const textOrNumber = z.union([z.string(), z.number()])

/** A text to search for, which some programs send as a number. */
export const searchQuery = textOrNumber.transform((query) => String(query).trim()).pipe(z.string().min(1).max(100))

/** A floor within the range of the column: a program may ask for any number. Also as digits, or as `#3`. */
export const floorToReadFrom = textOrNumber
  .transform((floor) => Number(digitsIn(floor)))
  .pipe(z.number().int().min(1).max(2_147_483_647))
  .default(1)

/** The id of a thread: a number or digits, also as `#12`, or in the address of the thread on this site. */
export function threadId(origin: string | null) {
  return textOrNumber
    .describe('The id of the thread, or its address')
    .transform((value) => idIn(value, origin))
    .pipe(z.string().regex(/^[1-9]\d{0,17}$/, 'No id or address of a thread of this site'))
}

function idIn(value: string | number, origin: string | null): string {
  const text = digitsIn(value)
  if (!/^(\/|https?:)/i.test(text)) return text
  const site = origin ?? 'http://site.invalid'
  if (!URL.canParse(text, site)) return ''
  const address = new URL(text, site)
  return address.origin === new URL(site).origin ? (address.searchParams.get('topicId') ?? '') : ''
}

/** A number as it is typed or written: with a sign before it, or in full-width digits. */
function digitsIn(value: string | number): string {
  return String(value).normalize('NFKC').trim().replace(/^#\s*/, '')
}
