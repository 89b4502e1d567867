const everyMs = 100

/** The page content below the header, which has the initial focus. */
export const contentId = 'content'

/** Whether no element has the focus, so that content which arrives may take it. */
export function isFocusFree(): boolean {
  const { activeElement, body } = document
  return !activeElement || activeElement === body || activeElement.id === contentId
}

/** Focuses the text field within an element once it exists, because editors load on demand, and scrolls to it. */
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

/**
 * Focuses an element once it is rendered and the focused one is gone with its page, which may take a moment. Ends when something else takes
 * the focus.
 */
export function focusNext(selector: string, tries = 50, leaving = document.activeElement): void {
  setTimeout(() => {
    const isFree = isFocusFree()
    if (!isFree && document.activeElement !== leaving) return
    const place = isFree ? document.querySelector<HTMLElement>(selector) : null
    if (place) place.focus({ preventScroll: true })
    else if (tries > 0) focusNext(selector, tries - 1, leaving)
  }, everyMs)
}
