/** Lists in our structure: sublists inside the item before them, and items with a checkbox as tasks. */
export function normalizeLists(pasted: HTMLElement): void {
  for (const inner of pasted.querySelectorAll(':is(ul, ol) > :is(ul, ol)')) {
    const before = inner.previousElementSibling
    const item = before?.tagName === 'LI' ? before : inner.ownerDocument.createElement('li')
    if (item !== before) inner.before(item)
    item.append(inner)
  }
  for (const item of pasted.querySelectorAll<HTMLElement>('ul > li')) tick(item)
  for (const list of pasted.querySelectorAll('ul')) {
    const items = [...list.children].filter((child): child is HTMLElement => child.tagName === 'LI')
    if (items.length > 0 && items.every((item) => item.dataset['checked'] !== undefined)) list.classList.add('tasks')
  }
}

function tick(item: HTMLElement): void {
  const box = item.querySelector<HTMLInputElement>(':scope > input[type="checkbox"], :scope > :is(p, label, div) > input[type="checkbox"]')
  const isTask = item.getAttribute('role') === 'checkbox'
  if (!box && !isTask) return
  item.dataset['checked'] = String(box ? box.hasAttribute('checked') : item.getAttribute('aria-checked') === 'true')
  box?.remove()
  // Some programs draw the checkbox as a picture.
  if (isTask) item.querySelector(':scope > img')?.remove()
}
