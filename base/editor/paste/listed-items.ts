/** An item of a list as another program writes it. Levels are any numbers, larger ones further in; `tick` is null for all but tasks. */
export type Item = { content: Node[]; level: number; list: string; isOrdered: boolean; start: number; tick: boolean | null }

type OpenList = { list: HTMLElement; last: HTMLElement } & Pick<Item, 'level' | 'isOrdered'> & { name: string }

/** Lists within lists from a run of items. */
export function listsOf(items: readonly Item[], page: Document): DocumentFragment {
  const all = page.createDocumentFragment()
  const open: OpenList[] = []
  for (const item of items) {
    while ((open.at(-1)?.level ?? 0) > item.level || isOther(open.at(-1), item)) open.pop()
    const last = page.createElement('li')
    if (item.tick !== null) last.dataset['checked'] = String(item.tick)
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
