import type { Page } from 'playwright-core'

/** Selects all text of an element, and returns it. */
export function selectText(page: Page, place: string): Promise<string> {
  return page.evaluate((selector) => {
    // A mouse click takes the focus from the text.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    const range = document.createRange()
    range.selectNodeContents(document.querySelector(selector) as Element)
    getSelection()?.removeAllRanges()
    getSelection()?.addRange(range)
    return getSelection()?.toString().trim() ?? ''
  }, place)
}
