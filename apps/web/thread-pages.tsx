import { useEffect, useEffectEvent, useRef, useState, type MouseEvent } from 'react'
import { useLocation } from 'react-router'
import { useMember, onMemberLogout } from '#account/web/account.tsx'
import { readingOf } from '#apps/web/screens/feed.ts'
import { ThreadRows } from '#apps/web/thread-rows.tsx'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { focusNext } from '#base/web/focus-later.ts'
import { Link } from '#base/web/link.tsx'
import { Memoized } from '#base/web/memoized.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { useWords } from '#base/web/words.tsx'
import { threadPath } from '#kind/contract.ts'
import type { TagList } from '#tag/web/tag.tsx'
import type { ReadingView } from '#topic/contract.ts'
import type { RowProps } from '#topic/web/topic.tsx'
import css from '#apps/web/thread-pages.module.css'

type Thread = RowProps['topic']
export type ThreadPage = { threads: readonly Thread[]; page: number; pages: number; total: number }
type ReadPage = ThreadPage & { reading: readonly ReadingView[] }

type ThreadPagesProps = {
  first: ReadPage
  /** Loads another page of the same list. */
  read: (page: number) => Promise<ThreadPage>
  tagId: string | undefined
  list?: TagList
}

const maxEntries = 20
// Further pages by history entry, so that going back restores the length of the list.
const furtherPages = new Map<string, { first: ReadPage; further: readonly ReadPage[] }>()
onMemberLogout(() => furtherPages.clear())

/** A list of threads with a button that appends the next page. Without a script it is a link to that page. */
export function ThreadPages({ first, read, tagId, list }: ThreadPagesProps) {
  const words = useWords('site')
  const { further, isBusy, added, more } = useFurtherPages(first, read)
  const { pathname, search } = useLocation()
  const threads = distinctThreads([first, ...further])
  const { page, pages, total } = further.at(-1) ?? first
  const next = new URLSearchParams(search)
  next.set('page', String(page + 1))

  function take(click: MouseEvent): void {
    if (click.button !== 0 || click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return
    click.preventDefault()
    if (!isBusy) void more(click.detail === 0)
  }

  return (
    <>
      <ThreadRows threads={threads} reading={[first, ...further].flatMap(({ reading }) => reading)} tagId={tagId} {...(list && { list })} />
      {page < pages && (
        <Link to={`${pathname}?${next}`} rel="next" className={`button quiet ${css.more}`} aria-busy={isBusy} onClick={take}>
          {words(isBusy ? 'loading' : 'showMore')}
        </Link>
      )}
      <p role="status" className="hidden">
        {added > 0 && words('shownMore', { count: added })}
      </p>
      <Memoized by={(address) => ['pages', page, pages, total, address]}>
        <Pagination page={page} pages={pages} total={total} />
      </Memoized>
    </>
  )
}

function useFurtherPages(first: ReadPage, read: ThreadPagesProps['read']) {
  const api = useApi()
  const isMember = Boolean(useMember())
  const { key } = useLocation()
  const [further, setFurther] = useState(() => {
    const was = furtherPages.get(key)
    return was ? withShiftedRows(was.first, first, was.further) : []
  })
  const [isBusy, setBusy] = useState(false)
  const [added, setAdded] = useState(0)
  const before = useRef(first)

  async function more(isByKey: boolean): Promise<void> {
    setBusy(true)
    try {
      const last = further.at(-1) ?? first
      const page = await read(last.page + 1)
      const known = new Set(distinctThreads([first, ...further]).map(({ id }) => id))
      const fresh = page.threads.filter(({ id }) => !known.has(id))
      const reading = await readingOf({ api, isMember }, fresh)
      setFurther([...further, { ...page, threads: fresh, reading }])
      setAdded(fresh.length)
      if (isByKey && fresh[0]) focusThread(fresh[0])
    } catch (error) {
      // The call has reported the reason.
      if (!(error instanceof CallFailed)) throw error
    } finally {
      setBusy(false)
    }
  }

  // The appended pages are reloaded together with the first.
  const goOn = useEffectEvent(async () => {
    const was = before.current
    before.current = first
    if (further.length === 0 || was.threads === first.threads) return
    const pages = withShiftedRows(was, first, further)
    const read = await Promise.all(pages.map(({ threads }) => readingOf({ api, isMember }, threads)))
    setFurther(pages.map((page, at) => ({ ...page, reading: read[at] ?? page.reading })))
  })
  const { threads } = first
  useEffect(() => void goOn(), [threads])
  useEffect(() => {
    furtherPages.delete(key)
    if (further.length > 0) furtherPages.set(key, { first, further })
    for (const old of [...furtherPages.keys()].slice(0, -maxEntries)) furtherPages.delete(old)
  }, [key, first, further])
  return { further, isBusy, added, more }
}

/** The appended pages, preceded by rows that new ones pushed off the first page. */
function withShiftedRows(was: ReadPage, first: ReadPage, further: readonly ReadPage[]): readonly ReadPage[] {
  const known = new Set([first, ...further].flatMap(({ threads }) => threads.map(({ id }) => id)))
  const threads = was.threads.filter(({ id }) => !known.has(id))
  return threads.length > 0 ? [{ ...was, page: first.page, threads }, ...further] : further
}

/** Each thread once, at its first position. */
function distinctThreads(pages: readonly ThreadPage[]): Thread[] {
  const byId = Map.groupBy(
    pages.flatMap(({ threads }) => threads),
    ({ id }) => id,
  )
  return [...byId.values()].flatMap(([thread]) => thread ?? [])
}

function focusThread({ id, kind }: Thread): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  focusNext(`main article a[href="${threadPath(id, kind)}"]`)
}
