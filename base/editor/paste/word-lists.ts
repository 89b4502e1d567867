import { marginOf, tickOf } from '#base/editor/paste/flat-lists.ts'
import { listsOf, type Item } from '#base/editor/paste/listed-items.ts'

/** Office programs write list items as styled paragraphs, or as many lists of one item each. */
export function wordLists(pasted: HTMLElement): void {
  for (const first of pasted.querySelectorAll<HTMLElement>('p, div.O, .ListContainerWrapper')) {
    const run = consecutiveLists(first)
    if (run.length === 0) continue
    first.before(
      listsOf(
        run.flatMap(({ items }) => items),
        first.ownerDocument,
      ),
    )
    for (const { element } of run) element.remove()
  }
}

type WordList = { element: HTMLElement; items: Item[] }

/** Consecutive items with nothing between them. */
function consecutiveLists(first: HTMLElement): WordList[] {
  const run: WordList[] = []
  if (!first.isConnected && !first.parentNode) return run
  for (let element: Element | null = first; element instanceof HTMLElement; element = element.nextElementSibling) {
    const items = itemsOf(element)
    if (items.length === 0) break
    run.push({ element, items })
  }
  return run
}

function itemsOf(element: HTMLElement): Item[] {
  if (element.matches('.ListContainerWrapper')) return [...element.querySelectorAll('li')].map(wordOnlineItem)
  const [, list, level = '1'] = /mso-list:\s*(l\d+)\s+level(\d+)/i.exec(element.getAttribute('style') ?? '') ?? []
  if (list && element.tagName === 'P') return [itemWith(takeMarker(listMarkerIn(element)), element, { list, level: Number(level) })]
  const bullet = slideMarkerIn(element)
  return bullet ? [itemWith(takeMarker(bullet), element, { list: 'slide', level: marginOf(element.style) ?? 0 })] : []
}

const ordered = /^[(（]?(\d+|[a-z]{1,4}|[一二三四五六七八九十]+)[.)、．）]|^[\u2460-\u2473]/i

function itemWith({ sign, tick }: Marker, element: HTMLElement, place: Pick<Item, 'list' | 'level'>): Item {
  return { ...place, content: [...element.childNodes], isOrdered: ordered.test(sign), start: Number(/\d+/.exec(sign)?.[0] ?? 1), tick }
}

function listMarkerIn(element: HTMLElement): HTMLElement | undefined {
  return [...element.querySelectorAll('span')].find((span) => /mso-list:\s*ignore/i.test(span.getAttribute('style') ?? ''))
}

/** The marker of a line on a slide. */
function slideMarkerIn({ firstElementChild: first }: HTMLElement): HTMLElement | null {
  return first instanceof HTMLElement && /mso-special-format:\s*(?:num)?bullet/i.test(first.getAttribute('style') ?? '') ? first : null
}

type Marker = { sign: string; tick: boolean | null }

/** Removes the marker, which is written as text, and returns it. */
function takeMarker(marker: HTMLElement | undefined): Marker {
  const isSymbol = /wingdings/i.test(marker?.closest('[style*="ingdings"]')?.getAttribute('style') ?? '')
  marker?.remove()
  const sign = marker?.textContent.replaceAll(/\s/g, '') ?? ''
  return { sign, tick: boxes.get(isSymbol ? `symbol ${sign}` : sign) ?? null }
}

// Boxes, and the letters that a font of symbols draws as boxes.
const boxes = new Map([
  ['☐', false],
  ['☑', true],
  ['☒', true],
  ['symbol ¨', false],
  ['symbol þ', true],
  ['symbol ý', true],
])

function wordOnlineItem(item: HTMLElement): Item {
  const list = item.closest('ol, ul')
  const start = Number(list?.getAttribute('start') ?? 1)
  const level = Number(item.dataset['ariaLevel'] ?? item.getAttribute('aria-level') ?? 1)
  return {
    content: [...item.childNodes],
    level,
    list: item.dataset['listid'] ?? '',
    isOrdered: list?.tagName === 'OL',
    start,
    tick: tickOf(item),
  }
}
