// The editor's reader knows the blocks that posts have, and those alone.
const others = 'details, summary, main, nav, dt, center, dialog, legend, search'

/** What stands by itself elsewhere stands by itself here, though we have no name for it. */
export function blocksAsBlocks(pasted: HTMLElement): void {
  for (const block of pasted.querySelectorAll(others)) rename(block, 'div')
  for (const list of pasted.querySelectorAll('menu, dir')) rename(list, 'ul')
  for (const caption of pasted.querySelectorAll('table > caption')) caption.parentElement?.before(rename(caption, 'p'))
}

export function rename(element: Element, name: string): HTMLElement {
  const renamed = element.ownerDocument.createElement(name)
  renamed.append(...element.childNodes)
  element.replaceWith(renamed)
  return renamed
}
