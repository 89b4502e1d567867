import { draftHere, follow, keeperOf, leaveTo, letGo, lookAgain, protect, readAgain, shownHere } from '#base/web/editor/draft-place.ts'
import { holdsSame, isEmpty, slotOf, slotsOfOthers, whenOthersChange, type Slot, type SlotChange } from '#base/web/editor/draft-slots.ts'
import { tabName } from '#base/web/editor/draft-tab.ts'

let hears = false

/** Reacts to changes of the drafts shown here by other tabs of this browser. */
export function hearOtherTabs(): void {
  if (hears) return
  hears = true
  whenOthersChange((change) => {
    if (![...shownHere()].includes(change.draftKey)) return
    if (change.tab === tabName()) ourSlotChanged(change)
    else if (change.now) otherWrote(change.draftKey, change.tab, change.now)
    else otherLeft(change)
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) for (const draftKey of shownHere()) wake(draftKey)
  })
}

function ourSlotChanged({ draftKey, before, now }: SlotChange): void {
  const slot = draftHere(draftKey)
  if (isEmpty(slot)) return
  if (now?.isPassedOver) return protect(draftKey)
  if (now || slotOf(tabName(), draftKey)) return
  const taker = takerOf(draftKey, tabName())
  if (taker !== null) leaveTo(draftKey, taker)
  else if (before && holdsSame(before, slot)) letGo(draftKey)
  else protect(draftKey)
}

function otherWrote(draftKey: string, tab: string, theirs: Slot): void {
  const mine = draftHere(draftKey)
  const { version, isSaved } = mine.known
  if (keeperOf(draftKey) === tab && !isSaved && !theirs.took.includes(tabName()) && !holdsSame(theirs, mine)) return protect(draftKey)
  if (!theirs.known.isSaved || !isNewer(theirs.known.version, version)) return
  if (isEmpty(mine) || !isSaved) return
  if (version !== null && theirs.known.over.includes(version)) protect(draftKey)
  else follow(draftKey, tab, theirs)
}

function otherLeft({ draftKey, tab }: SlotChange): void {
  if (slotOf(tab, draftKey)) return
  if (keeperOf(draftKey) !== tab) return lookAgain(draftKey)
  const taker = takerOf(draftKey, tab)
  if (taker !== null) leaveTo(draftKey, taker)
  else letGo(draftKey)
}

function takerOf(draftKey: string, tab: string): string | null {
  return slotsOfOthers(draftKey).find(({ slot }) => slot.took.includes(tab))?.tab ?? null
}

// A page restored from the back/forward cache missed all events.
function wake(draftKey: string): void {
  if (slotOf(tabName(), draftKey)) return readAgain(draftKey)
  const keeper = keeperOf(draftKey) ?? takerOf(draftKey, tabName())
  const theirs = keeper !== null && slotOf(keeper, draftKey)
  if (theirs) follow(draftKey, keeper, theirs)
}

function isNewer(version: string | null, than: string | null): boolean {
  return version !== null && (than === null || BigInt(version) > BigInt(than))
}
