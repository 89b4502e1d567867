const everyMs = 100

/** All of a page below the header, where the keyboard is at first. */
export const contentId = 'content'

/** Whether nothing on the page has the keyboard, so that a part which comes may take it. */
export function isFocusFree(): boolean {
  const { activeElement, body } = document
  return !activeElement || activeElement === body || activeElement.id === contentId
}

/** Focuses the field in which one writes there, a moment after its place: an editor comes when it is needed. Its place comes into view. */
export function focusLater(within: () => Element | null, tries = 100): void {
  const field = [...(within()?.querySelectorAll<HTMLElement>('[contenteditable="true"], textarea:not([readonly])') ?? [])].find(
    (one) => one.offsetParent !== null,
  )
  if (!field) {
    if (tries > 0) setTimeout(() => focusLater(within, tries - 1), everyMs)
    return
  }
  field.scrollIntoView({ block: 'center' })
  field.focus({ preventScroll: true })
}

/** Leads the keyboard on to a place once it is drawn, where what had it is gone and nothing else on the page has it since. */
export function focusNext(selector: string, tries = 50): void {
  setTimeout(() => {
    if (!isFocusFree()) return
    const place = document.querySelector<HTMLElement>(selector)
    if (place) place.focus({ preventScroll: true })
    else if (tries > 0) focusNext(selector, tries - 1)
  }, everyMs)
}
