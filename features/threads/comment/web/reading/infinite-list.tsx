import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { useSearchParams } from 'react-router'
import { useApi } from '#base/web/api.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import type { listComments, myThread } from '#comment/contract.ts'
import { ThreadContext, useBestFirst, useThread, type ThreadState, type CommentList } from '#comment/web/thread-context.tsx'
import { orderIn } from '#comment/web/order.ts'
import { Branches } from '#comment/web/reading/branches.tsx'
import {
  startAt,
  visibleRange,
  heightOf,
  mergeStates,
  newCommentsOf,
  withPage,
  withSource,
  type LoadedPages,
} from '#comment/web/reading/loaded-pages.ts'
import { useScrollAnchoring } from '#comment/web/reading/scroll-anchor.ts'
import { MineContext } from '#post/web/post.tsx'
import { mountedLists } from '#comment/web/reading/mounted-lists.ts'

type Mine = NonNullable<ThreadState['mine']>
type Change = (next: (loaded: LoadedPages) => LoadedPages) => void
type Heights = ReadonlyMap<number, number>

/** The infinite list of comments. Pages load as they come near; distant ones are replaced by their height. */
export function InfiniteList({ list }: { list: CommentList }) {
  const desk = useThread()
  const bestFirst = useBestFirst()
  const [query] = useSearchParams()
  const request = ['topicId', 'questionId', 'order', 'onlyAuthor'].map((name) => query.get(name)).join(' ')
  const [loaded, setHeld] = useState(() => startAt(list, request))
  if (loaded.source !== list) setHeld(withSource(loaded, list, request))
  const box = useRef<HTMLDivElement>(null)
  const keepPlace = useScrollAnchoring()

  function inPlace(action: () => void): void {
    keepPlace()
    flushSync(action)
  }

  function change(next: (loaded: LoadedPages) => LoadedPages): void {
    inPlace(() =>
      setHeld((now) => (now.listKey === loaded.listKey ? next({ ...now, heights: measureHeights(box.current, now.heights) }) : now)),
    )
  }

  const { failed, mine, bring } = usePageLoader(loaded, { inPlace, change })
  useScrollWindow(box, loaded, { change, bring })
  useEffect(() => mountedLists.set([...loaded.lists.values()]), [loaded.lists])
  const all = desk.mine && mergeStates([desk.mine, ...mine.values()])
  const pages = Array.from({ length: loaded.to - loaded.from + 1 }, (_, index) => loaded.from + index)
  return (
    <ThreadContext value={{ ...desk, mine: all }}>
      <MineContext value={all}>
        <div ref={box}>
          <div style={{ height: heightOf(loaded, loaded.first, loaded.from - 1) }} />
          {pages.map((page) => (
            <div key={page} data-page={page} style={loaded.lists.has(page) ? undefined : { height: heightOf(loaded, page) }}>
              {loaded.lists.has(page) ? (
                <Branches comments={bestFirst(newCommentsOf(loaded, page), page, loaded.first)} />
              ) : (
                <Skeleton lines={6} />
              )}
            </div>
          ))}
          <div style={{ height: heightOf(loaded, loaded.to + 1, loaded.last) }} />
          {failed !== null && <Failed retry={() => bring(failed)} />}
        </div>
      </MineContext>
    </ThreadContext>
  )
}

function usePageLoader(loaded: LoadedPages, { inPlace, change }: { inPlace: (action: () => void) => void; change: Change }) {
  const api = useApi()
  const { topic, mine: isMember } = useThread()
  const [query] = useSearchParams()
  const [failed, setFailed] = useState<number | null>(null)
  const [mine, setMine] = useState<ReadonlyMap<number, Mine>>(new Map())
  const inFlight = useRef(new Set<string>())

  async function read(page: number): Promise<void> {
    const order = orderIn(query, topic.kind)
    const request = { topicId: topic.id, page, order, onlyAuthor: query.get('onlyAuthor') === 'true' } as const
    const list = await api.read<typeof listComments>('/comment/list', request, { shared: true, silent: true })
    // It will be requested again.
    if (!loaded.lists.has(page) && isComposing()) return
    change((now) => withPage(now, list))
    if (!isMember) return
    const commentIds = list.comments.map(({ id }) => id)
    const own = await api.read<typeof myThread>('/comment/mine', { topicId: topic.id, commentIds }, { silent: true })
    inPlace(() => setMine((before) => new Map(before).set(page, own)))
  }

  function bring(page: number): void {
    const key = `${loaded.listKey} ${page}`
    if (inFlight.current.has(key)) return
    inFlight.current.add(key)
    setFailed(null)
    read(page)
      .catch(() => setFailed(page))
      .finally(() => inFlight.current.delete(key))
  }

  const reload = useEffectEvent(() => {
    for (const page of loaded.lists.keys()) if (loaded.lists.get(page) !== loaded.source) bring(page)
  })
  useEffect(() => reload(), [loaded.source])
  return { failed, mine, bring }
}

type PageActions = { change: Change; bring: (page: number) => void }

/** Tracks the scroll position: loads near pages and unmounts distant ones. */
function useScrollWindow(box: RefObject<HTMLDivElement | null>, loaded: LoadedPages, { change, bring }: PageActions): void {
  const { writing } = useThread()
  const check = useEffectEvent(() => {
    if (!box.current || isComposing()) return
    const now = { ...loaded, heights: measureHeights(box.current, loaded.heights) }
    const top = -box.current.getBoundingClientRect().top
    const all = Array.from({ length: loaded.last - loaded.first + 1 }, (_, index) => heightOf(now, loaded.first + index))
    const near = visibleRange(all, top - 2 * innerHeight, top + 3 * innerHeight).map((index) => index + loaded.first)
    if (near[0] === undefined || near[1] === undefined) return
    // The page with the open form stays mounted, at any distance.
    const [from, to] = writing ? [Math.min(near[0], loaded.from), Math.max(near[1], loaded.to)] : [near[0], near[1]]
    for (let page = from; page <= to; page++) if (!loaded.lists.has(page)) bring(page)
    if (from !== loaded.from || to !== loaded.to) change((latest) => ({ ...latest, from, to }))
    const whole = all.reduce((sum, height) => sum + height, 0)
    if (loaded.last < loaded.source.pages && whole - top < 3 * innerHeight) bring(loaded.last + 1)
    if (loaded.first > 1 && top < 2 * innerHeight) bring(loaded.first - 1)
  })
  useEffect(() => {
    let frame = 0
    function soon(): void {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        check()
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
    const timer = setTimeout(() => check(), 50)
    return () => clearTimeout(timer)
  }, [loaded])
}

/** Whether a form in view has the focus: nothing may be inserted that would move it. */
function isComposing(): boolean {
  const form = document.activeElement?.closest('form:has([contenteditable="true"], textarea)')
  if (!form) return false
  const { top, bottom } = form.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

function measureHeights(box: HTMLElement | null, heights: Heights): Heights {
  const all = new Map(heights)
  for (const page of box?.querySelectorAll<HTMLElement>('[data-page]') ?? []) all.set(Number(page.dataset['page']), page.offsetHeight)
  return all
}
