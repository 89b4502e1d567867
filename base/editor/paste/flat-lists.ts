import { listsOf, type Item } from '#base/editor/paste/listed-items.ts'

/** Lists within lists, where a program writes all items side by side and says their levels. */
export function flatLists(pasted: HTMLElement): void {
  for (const first of pasted.querySelectorAll<HTMLElement>('ul, ol')) {
    if (!first.parentElement || first.parentElement.closest('ul, ol')) continue
    const run = consecutive(first)
    const items = run.flatMap(({ children }) => [...children]).filter((child): child is HTMLElement => child.tagName === 'LI')
    const levels = run.some((list) => list.querySelector('ul, ol')) ? null : levelsOf(items)
    if (!levels) continue
    first.before(
      listsOf(
        items.map((item, at) => itemOf(item, levels[at] ?? 0)),
        first.ownerDocument,
      ),
    )
    for (const list of run) list.remove()
  }
}

function consecutive(first: HTMLElement): HTMLElement[] {
  const run: HTMLElement[] = []
  for (let list: Element | null = first; list instanceof HTMLElement && list.matches('ul, ol'); list = list.nextElementSibling)
    run.push(list)
  return run
}

// Each program has a way of its own. Only the order of the numbers counts.
const ways: readonly ((item: HTMLElement) => number | undefined)[] = [
  (item) => numberIn(item.getAttribute('aria-level') ?? item.dataset['ariaLevel']),
  (item) => numberIn(item.dataset['level'] ?? item.dataset['indent'] ?? item.getAttribute('ne-level')),
  (item) => numberIn(/\b(?:ql-indent-|list-[a-z]+|lst-kix_\w+-)(\d)\b/.exec(item.className)?.[1]),
  ({ style }) => marginOf(style),
]

/** The levels of items, by the first way in which they differ; null where they do not. */
function levelsOf(items: readonly HTMLElement[]): number[] | null {
  for (const way of ways) {
    const levels = items.map((item) => way(item) ?? (item.parentElement && way(item.parentElement)) ?? 0)
    if (new Set(levels).size > 1) return levels
  }
  return null
}

function numberIn(text: string | null | undefined): number | undefined {
  return text && /^\d+$/.test(text) ? Number(text) : undefined
}

const unitsInPoints: Record<string, number> = { pt: 1, px: 0.75, in: 72, cm: 28.35, mm: 2.835, em: 12, rem: 12 }

/** The distance from the left, in points. */
export function marginOf({ marginLeft, paddingLeft }: CSSStyleDeclaration): number | undefined {
  const [, length = '', unit = ''] = /^(\d*\.?\d+)([a-z]+)$/.exec(marginLeft || paddingLeft) ?? []
  return unit ? Math.round(Number(length) * (unitsInPoints[unit] ?? 1)) : undefined
}

function itemOf(item: HTMLElement, level: number): Item {
  const list = item.parentElement
  const isOrdered = item.dataset['list'] ? item.dataset['list'] === 'ordered' : list?.tagName === 'OL'
  return { content: [...item.childNodes], level, list: '', isOrdered, start: Number(list?.getAttribute('start') ?? 1), tick: tickOf(item) }
}

/** Whether an item says that it is done; null where it is no task. */
export function tickOf(item: HTMLElement): boolean | null {
  const { checked = item.parentElement?.dataset['checked'], list = '' } = item.dataset
  const said = item.getAttribute('aria-checked') ?? checked
  if (said === 'true' || said === 'false') return said === 'true'
  return /^(un)?checked$/.test(list) ? list === 'checked' : null
}
