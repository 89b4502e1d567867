type Item = { content: Node[]; level: number; list: string; isOrdered: boolean; start: number }

/** Office programs write list items as styled paragraphs, or as many lists of one item each. */
export function wordLists(pasted: HTMLElement): void {
  for (const first of pasted.querySelectorAll<HTMLElement>('p, .ListContainerWrapper')) {
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
  if (!list || element.tagName !== 'P') return []
  const sign = markerOf(element)
  const isOrdered = /^[(（]?(\d+|[a-z]{1,4}|[一二三四五六七八九十]+)[.)、．）]|^[\u2460-\u2473]/i.test(sign)
  return [{ content: [...element.childNodes], level: Number(level), list, isOrdered, start: Number(/\d+/.exec(sign)?.[0] ?? 1) }]
}

/** Removes the marker, which is written as text, and returns it. */
function markerOf(element: HTMLElement): string {
  const marker = [...element.querySelectorAll('span')].find((span) => /mso-list:\s*ignore/i.test(span.getAttribute('style') ?? ''))
  marker?.remove()
  return marker?.textContent.replaceAll(/\s/g, '') ?? ''
}

function wordOnlineItem(item: HTMLElement): Item {
  const list = item.closest('ol, ul')
  const start = Number(list?.getAttribute('start') ?? 1)
  const level = Number(item.dataset['ariaLevel'] ?? item.getAttribute('aria-level') ?? 1)
  return { content: [...item.childNodes], level, list: item.dataset['listid'] ?? '', isOrdered: list?.tagName === 'OL', start }
}

type OpenList = { list: HTMLElement; last: HTMLElement } & Pick<Item, 'level' | 'isOrdered'> & { name: string }

function listsOf(items: readonly Item[], page: Document): DocumentFragment {
  const all = page.createDocumentFragment()
  const open: OpenList[] = []
  for (const item of items) {
    while ((open.at(-1)?.level ?? 0) > item.level || isOther(open.at(-1), item)) open.pop()
    const last = page.createElement('li')
    const current = open.at(-1)
    if (current?.level === item.level) current.last = last
    else open.push(beginList(item, last, current?.last ?? all, page))
    open.at(-1)?.list.append(last)
    const text = page.createElement('p')
    text.append(...item.content)
    last.append(text)
  }
  return all
}

function isOther(current: OpenList | undefined, { level, isOrdered, list }: Item): boolean {
  return current?.level === level && (current.isOrdered !== isOrdered || current.name !== list)
}

function beginList({ level, isOrdered, list: name, start }: Item, last: HTMLElement, within: Node, page: Document): OpenList {
  const list = page.createElement(isOrdered ? 'ol' : 'ul')
  if (isOrdered && start !== 1) list.setAttribute('start', String(start))
  within.appendChild(list)
  return { list, last, level, isOrdered, name }
}
