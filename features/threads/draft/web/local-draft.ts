import { toText } from '#base/rich-text/to-text.ts'
import { currentDraft, setSiteState } from '#base/editor/draft-store.ts'
import type { SiteDraftState, Slot } from '#base/editor/draft-slots.ts'
import { DraftContent, draftPlace } from '#draft/contract.ts'

/** The place of a draft on the server, if it is this member's and of a synced kind. */
export function serverPlace(draftKey: string, memberId: string | undefined): string | null {
  const [owner = '', ...rest] = draftKey.split(' ')
  const place = rest.join(' ')
  return owner !== '' && owner === memberId && draftPlace.safeParse(place).success ? place : null
}

/** The content in this tab; null if there is neither text nor a field. `tooLarge` if the server would refuse it. */
export function localContent(draftKey: string): DraftContent | 'tooLarge' | null {
  return contentOf(currentDraft(draftKey))
}

export function contentOf({ text, fields: all }: Pick<Slot, 'text' | 'fields'>): DraftContent | 'tooLarge' | null {
  const fields = Object.entries(all ?? {}).filter(([, value]) => value !== '')
  if (text === null && fields.length === 0) return null
  const content = DraftContent.safeParse({ text, fields: Object.fromEntries(fields) })
  return content.success ? content.data : 'tooLarge'
}

export function isSame(one: DraftContent | 'tooLarge' | null, other: DraftContent | 'tooLarge' | null): boolean {
  return JSON.stringify(canonical(one)) === JSON.stringify(canonical(other))
}

/** The text of a draft, to distinguish versions. */
export function textOf(content: DraftContent | 'tooLarge' | null): string {
  if (content === null || content === 'tooLarge') return ''
  const { text, fields } = content
  const body = text === null ? '' : text.view === 'rich' ? toText(text.doc) : text.text
  return [fields['title'], body].filter(Boolean).join('\n\n')
}

export function syncStateOf(draftKey: string): SiteDraftState {
  return currentDraft(draftKey).known
}

/** Records that the server has this version. Earlier discards are obsolete. */
export function setSyncedVersion(draftKey: string, version: string | null, isSaved: boolean): void {
  const { over } = syncStateOf(draftKey)
  setSiteState(draftKey, { version, isSaved, over: version === null ? [] : over })
}

// The server does not preserve the order of keys.
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, canonical(inner)]),
  )
}
