import { truncate } from '#base/characters.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { slotOf, slotsOfOthers } from '#base/editor/draft-slots.ts'
import { draftStates } from '#base/editor/draft-state.ts'
import { tabName } from '#base/web/tab-name.ts'
import { ownDraftKey } from '#writing/web/writing.tsx'

const shownLength = 180

/** The draft to a member on this device; null where it is empty. Only reads, and takes nothing over from another tab. */
export function useDraft(userId: string): string | null {
  draftStates.use()
  const draftKey = ownDraftKey(`message ${userId}`)
  const slot = slotOf(tabName(), draftKey) ?? slotsOfOthers(draftKey)[0]?.slot
  const { doc, text } = (slot?.text ?? {}) as { doc?: Doc; text?: unknown }
  const words = typeof text === 'string' ? text : doc ? toText(doc) : ''
  return truncate(words.replaceAll('\n', ' ').trim(), shownLength) || null
}
