const everyMs = 100

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
