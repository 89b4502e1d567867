import { toText } from '#base/rich-text/to-text.ts'
import { fieldsPlace, stored } from '#base/web/editor/draft-place.ts'
import { newKey } from '#base/web/key.ts'
import { DraftContent, draftPlace } from '#draft/contract.ts'

/** What this browser knows of the site's version of a draft. */
export type Known = { version: string | null; isSaved: boolean }

/** The place a draft has on the site, if it is this member's and of a kind that is carried. */
export function placeOf(draftKey: string, memberId: string | undefined): string | null {
  const [owner = '', ...rest] = draftKey.split(' ')
  const place = rest.join(' ')
  return owner !== '' && owner === memberId && draftPlace.safeParse(place).success ? place : null
}

/** What stands on this device; nothing when there is neither text nor any field. */
export function contentHere(draftKey: string): DraftContent | null {
  const fields = Object.entries(stored(fieldsPlace(draftKey)) ?? {}).filter(([, value]) => value !== '')
  const content = DraftContent.safeParse({ text: stored(draftKey), fields: Object.fromEntries(fields) })
  if (!content.success || (content.data.text === null && fields.length === 0)) return null
  return content.data
}

export function isSame(one: DraftContent | null, other: DraftContent | null): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

/** A draft in words, for a person to tell it from another. */
export function wordsOf({ text, fields }: DraftContent): string {
  const body = text === null ? '' : text.view === 'rich' ? toText(text.doc) : text.text
  return [fields['title'], body].filter(Boolean).join('\n\n')
}

const place = (draftKey: string) => `draft known ${draftKey}`

export function knownOf(draftKey: string): Known {
  try {
    return { version: null, isSaved: false, ...JSON.parse(localStorage.getItem(place(draftKey)) ?? '{}') }
  } catch {
    return { version: null, isSaved: false }
  }
}

export function remember(draftKey: string, known: Known | null): void {
  try {
    if (known) localStorage.setItem(place(draftKey), JSON.stringify(known))
    else localStorage.removeItem(place(draftKey))
  } catch {
    // A browser that keeps nothing has nothing to compare with next time.
  }
}

/** The name by which the site tells this browser from the member's others. */
export function writerName(): string {
  const kept = localStorage.getItem('draft writer')
  if (kept) return kept
  const name = newKey()
  localStorage.setItem('draft writer', name)
  return name
}

// The site gives the keys of an object back in an order of its own.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
