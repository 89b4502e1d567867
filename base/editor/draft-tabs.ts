import {
  currentDraft,
  followTab,
  storingTab,
  handOverTo,
  detach,
  recheckConflict,
  storeOwn,
  reload,
  currentKeys,
} from '#base/editor/draft-store.ts'
import { hasSameContent, isEmpty, slotOf, slotsOfOthers, onOtherTabsChange, type Slot, type SlotChange } from '#base/editor/draft-slots.ts'
import { tabName } from '#base/web/tab-name.ts'

let isListening = false

/** Reacts to changes of the drafts shown here by other tabs of this browser. */
export function listenToOtherTabs(): void {
  if (isListening) return
  isListening = true
  onOtherTabsChange((change) => {
    if (![...currentKeys()].includes(change.draftKey)) return
    if (change.tab === tabName()) ourSlotChanged(change)
    else if (change.now) otherWrote(change.draftKey, change.tab, change.now)
    else otherLeft(change)
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) for (const draftKey of currentKeys()) resync(draftKey)
  })
}

function ourSlotChanged({ draftKey, before, now }: SlotChange): void {
  const slot = currentDraft(draftKey)
  if (isEmpty(slot)) return
  if (now?.isPassedOver) return storeOwn(draftKey)
  if (now || slotOf(tabName(), draftKey)) return
  const taker = successorOf(draftKey, tabName())
  if (taker !== null) handOverTo(draftKey, taker)
  else if (before && hasSameContent(before, slot)) detach(draftKey)
  else storeOwn(draftKey)
}

function otherWrote(draftKey: string, tab: string, theirs: Slot): void {
  const mine = currentDraft(draftKey)
  const { version, isSaved } = mine.known
  if (storingTab(draftKey) === tab && !isSaved && !theirs.took.includes(tabName()) && !hasSameContent(theirs, mine))
    return storeOwn(draftKey)
  if (!theirs.known.isSaved || !isNewer(theirs.known.version, version)) return
  if (isEmpty(mine) || !isSaved) return
  if (version !== null && theirs.known.over.includes(version)) storeOwn(draftKey)
  else followTab(draftKey, tab, theirs)
}

function otherLeft({ draftKey, tab }: SlotChange): void {
  if (slotOf(tab, draftKey)) return
  if (storingTab(draftKey) !== tab) return recheckConflict(draftKey)
  const taker = successorOf(draftKey, tab)
  if (taker !== null) handOverTo(draftKey, taker)
  else detach(draftKey)
}

function successorOf(draftKey: string, tab: string): string | null {
  return slotsOfOthers(draftKey).find(({ slot }) => slot.took.includes(tab))?.tab ?? null
}

// A page restored from the back/forward cache missed all events.
function resync(draftKey: string): void {
  if (slotOf(tabName(), draftKey)) return reload(draftKey)
  const keeper = storingTab(draftKey) ?? successorOf(draftKey, tabName())
  const theirs = keeper !== null && slotOf(keeper, draftKey)
  if (theirs) followTab(draftKey, keeper, theirs)
}

function isNewer(version: string | null, than: string | null): boolean {
  return version !== null && (than === null || BigInt(version) > BigInt(than))
}
