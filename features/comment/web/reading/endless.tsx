import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { useSearchParams } from 'react-router'
import { useApi } from '#base/web/api.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import type { listComments, myThread } from '#comment/contract.ts'
import { DeskContext, useBestFirst, useDesk, type Desk, type List } from '#comment/web/desk.tsx'
import { orderIn } from '#comment/web/order.ts'
import { Branches } from '#comment/web/reading/branches.tsx'
import { begin, between, heightOf, notShownBefore, received, renewed, type ReadingPosition } from '#comment/web/reading/held.ts'
import { useKeptPlace } from '#comment/web/reading/place.ts'
import type { Kind } from '#kind/contract.ts'
import { LikedContext } from '#like/web/like.tsx'
import { shown } from '#comment/web/reading/shown.ts'

type Mine = NonNullable<Desk['mine']>
type Change = (next: (held: ReadingPosition) => ReadingPosition) => void
type Heights = ReadonlyMap<number, number>

/** The infinite list of comments. Pages load as they come near; distant ones are replaced by their height. */
export function Endless({ list }: { list: List }) {
  const desk = useDesk()
  const bestFirst = useBestFirst()
  const [query] = useSearchParams()
  const wish = ['topicId', 'questionId', 'order', 'onlyAuthor'].map((name) => query.get(name)).join(' ')
  const [held, setHeld] = useState(() => begin(list, wish))
  if (held.source !== list) setHeld(renewed(held, list, wish))
  const box = useRef<HTMLDivElement>(null)
  const keepPlace = useKeptPlace()

  function inPlace(deed: () => void): void {
    keepPlace()
    flushSync(deed)
  }

  function change(next: (held: ReadingPosition) => ReadingPosition): void {
    inPlace(() => setHeld((now) => (now.wish === held.wish ? next({ ...now, heights: measured(box.current, now.heights) }) : now)))
  }

  const { failed, mine, bring } = usePages(held, { inPlace, change })
  useNearness(box, held, { change, bring })
  useEffect(() => shown.set([...held.lists.values()]), [held.lists])
  const all = desk.mine && merged(desk.mine, mine)
  const pages = Array.from({ length: held.to - held.from + 1 }, (_, index) => held.from + index)
  return (
    <DeskContext value={{ ...desk, mine: all }}>
      <LikedContext value={all?.liked ?? null}>
        <div ref={box}>
          <div style={{ height: heightOf(held, held.first, held.from - 1) }} />
          {pages.map((page) => (
            <div key={page} data-page={page} style={held.lists.has(page) ? undefined : { height: heightOf(held, page) }}>
              {held.lists.has(page) ? (
                <Branches comments={bestFirst(notShownBefore(held, page), page, held.first)} />
              ) : (
                <Skeleton lines={6} />
              )}
            </div>
          ))}
          <div style={{ height: heightOf(held, held.to + 1, held.last) }} />
          {failed !== null && <Failed retry={() => bring(failed)} />}
        </div>
      </LikedContext>
    </DeskContext>
  )
}

function usePages(held: ReadingPosition, { inPlace, change }: { inPlace: (deed: () => void) => void; change: Change }) {
  const api = useApi()
  const { topic, mine: isMember } = useDesk()
  const [query] = useSearchParams()
  const [failed, setFailed] = useState<number | null>(null)
  const [mine, setMine] = useState<ReadonlyMap<number, Mine>>(new Map())
  const coming = useRef(new Set<string>())

  async function read(page: number): Promise<void> {
    const order = orderIn(query, topic.kind)
    const wish = { topicId: topic.id, page, order, onlyAuthor: query.get('onlyAuthor') === 'true' } as const
    const list = await api.read<typeof listComments>('/comment/list', wish, { shared: true, silent: true })
    // It will be requested again.
    if (!held.lists.has(page) && isAtAComposer()) return
    change((now) => received(now, list))
    if (!isMember) return
    const commentIds = list.comments.map(({ id }) => id)
    const its = await api.read<typeof myThread>('/comment/mine', { topicId: topic.id, commentIds }, { silent: true })
    inPlace(() => setMine((before) => new Map(before).set(page, its)))
  }

  function bring(page: number): void {
    const key = `${held.wish} ${page}`
    if (coming.current.has(key)) return
    coming.current.add(key)
    setFailed(null)
    read(page)
      .catch(() => setFailed(page))
      .finally(() => coming.current.delete(key))
  }

  const again = useEffectEvent(() => {
    for (const page of held.lists.keys()) if (held.lists.get(page) !== held.source) bring(page)
  })
  useEffect(() => again(), [held.source])
  return { failed, mine, bring }
}

type Means = { change: Change; bring: (page: number) => void }

/** Tracks the scroll position: loads near pages and unmounts distant ones. */
function useNearness(box: RefObject<HTMLDivElement | null>, held: ReadingPosition, { change, bring }: Means): void {
  const { writing } = useDesk()
  const look = useEffectEvent(() => {
    if (!box.current || isAtAComposer()) return
    const now = { ...held, heights: measured(box.current, held.heights) }
    const top = -box.current.getBoundingClientRect().top
    const all = Array.from({ length: held.last - held.first + 1 }, (_, index) => heightOf(now, held.first + index))
    const near = between(all, top - 2 * innerHeight, top + 3 * innerHeight).map((index) => index + held.first)
    if (near[0] === undefined || near[1] === undefined) return
    // The page with the open form stays mounted, at any distance.
    const [from, to] = writing ? [Math.min(near[0], held.from), Math.max(near[1], held.to)] : [near[0], near[1]]
    for (let page = from; page <= to; page++) if (!held.lists.has(page)) bring(page)
    if (from !== held.from || to !== held.to) change((latest) => ({ ...latest, from, to }))
    const whole = all.reduce((sum, height) => sum + height, 0)
    if (held.last < held.source.pages && whole - top < 3 * innerHeight) bring(held.last + 1)
    if (held.first > 1 && top < 2 * innerHeight) bring(held.first - 1)
  })
  useEffect(() => {
    let frame = 0
    function soon(): void {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        look()
      })
    }
    addEventListener('scroll', soon, { passive: true })
    addEventListener('resize', soon)
    addEventListener('focusout', soon)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', soon)
      removeEventListener('resize', soon)
      removeEventListener('focusout', soon)
    }
  }, [])
  // A loaded page may be shorter than the screen.
  useEffect(() => {
    const timer = setTimeout(() => look(), 50)
    return () => clearTimeout(timer)
  }, [held])
}

/** Whether a form in view has the focus: nothing may be inserted that would move it. */
function isAtAComposer(): boolean {
  const form = document.activeElement?.closest('form:has([contenteditable="true"], textarea)')
  if (!form) return false
  const { top, bottom } = form.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

function measured(box: HTMLElement | null, heights: Heights): Heights {
  const all = new Map(heights)
  for (const page of box?.querySelectorAll<HTMLElement>('[data-page]') ?? []) all.set(Number(page.dataset['page']), page.offsetHeight)
  return all
}

function merged(mine: Mine, others: ReadonlyMap<number, Mine>): Mine {
  const all = [mine, ...others.values()]
  const may = (kind: 'comments' | 'replies') => ({
    edit: all.flatMap((one) => one[kind].edit),
    remove: all.flatMap((one) => one[kind].remove),
  })
  const liked = (kind: Kind) => all.flatMap((one) => one.liked[kind])
  return {
    ...mine,
    comments: may('comments'),
    replies: may('replies'),
    liked: { topic: liked('topic'), comment: liked('comment'), reply: liked('reply') },
  }
}
