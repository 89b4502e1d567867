import { rename } from '#base/editor/paste/blocks.ts'
import { tickOf } from '#base/editor/paste/flat-lists.ts'

/** Lists in our structure: sublists inside the item before them, and items with a checkbox as tasks. */
export function normalizeLists(pasted: HTMLElement): void {
  for (const inner of pasted.querySelectorAll(':is(ul, ol) > :is(ul, ol)')) {
    const before = inner.previousElementSibling
    const item = before?.tagName === 'LI' ? before : inner.ownerDocument.createElement('li')
    if (item !== before) inner.before(item)
    item.append(inner)
  }
  for (const item of pasted.querySelectorAll<HTMLElement>('li')) joinWrapper(item)
  for (const first of pasted.querySelectorAll<HTMLElement>('ol:not([start]) > li[value]:first-child'))
    first.parentElement?.setAttribute('start', first.getAttribute('value') ?? '1')
  for (const item of pasted.querySelectorAll<HTMLElement>('li')) tick(item)
  for (const list of pasted.querySelectorAll('ul, ol')) {
    const items = [...list.children].filter((child): child is HTMLElement => child.tagName === 'LI')
    if (items.length === 0) continue
    tickBySigns(items)
    if (items.every((item) => item.dataset['checked'] !== undefined)) unordered(list).classList.add('tasks')
    else if (items.every((item) => item.dataset['list'] === 'bullet')) unordered(list)
  }
}

function unordered(list: Element): Element {
  return list.tagName === 'UL' ? list : rename(list, 'ul')
}

/** An item that is only there to hold a list, without a marker, belongs to the item before it. */
function joinWrapper(item: HTMLElement): void {
  const before = item.previousElementSibling
  const isWrapper = [...item.childNodes].every((node) =>
    node instanceof Element ? node.matches('ul, ol') : node.textContent?.trim() === '',
  )
  if (before?.tagName !== 'LI' || !isWrapper || !item.firstElementChild) return
  before.append(...item.children)
  item.remove()
}

function tick(item: HTMLElement): void {
  const box = item.querySelector<HTMLInputElement>('input[type="checkbox"]')
  const isOwn = box?.closest('li') === item
  const said = tickOf(item)
  if (!isOwn && said === null) return
  item.dataset['checked'] = String(said ?? box?.hasAttribute('checked'))
  if (isOwn) box.remove()
  // Some programs draw the checkbox as a picture.
  if (item.getAttribute('role') === 'checkbox') item.querySelector(':scope > img')?.remove()
}

const box = /^\s*([☐⬜☑☒✅])\ufe0f?\s*/u

/** A list in which every item begins with a box. */
function tickBySigns(items: readonly HTMLElement[]): void {
  const texts = items.map(firstTextOf)
  if (!texts.every((text) => text && box.test(text.data))) return
  for (const [at, text] of texts.entries()) {
    const item = items[at]
    if (!text || !item) continue
    item.dataset['checked'] = String(!/[☐⬜]/u.test(box.exec(text.data)?.[1] ?? ''))
    text.data = text.data.replace(box, '')
  }
}

function firstTextOf(item: HTMLElement): Text | null {
  const walker = item.ownerDocument.createTreeWalker(item, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node instanceof Text && node.data.trim() !== '') return node.parentElement?.closest('li') === item ? node : null
  return null
}
