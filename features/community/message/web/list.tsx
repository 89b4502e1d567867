import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { onMemberLogout } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { useAction } from '#base/web/action.ts'
import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { Empty, Failed } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { markAllRead } from '#message/contract.ts'
import { Row } from '#message/web/row.tsx'
import { pathTo, type MailboxView } from '#message/web/mailbox-view.ts'
import { SendersDialog } from '#message/web/senders.tsx'
import { announceChange, useList, type List } from '#message/web/use-list.ts'
import { loadCounts, unread } from '#notification/web/notification.tsx'
import css from '#message/web/list.module.css'

type Props = { first: List; place: MailboxView; /** The partner of the open conversation. */ current: string | null }

let scrolledTo: { place: MailboxView; top: number } | null = null
onMemberLogout(() => (scrolledTo = null))

/** The conversations, the latest first; on a wide screen beside the open one. */
export function Conversations({ first, place, current }: Props) {
  const words = useWords('message')
  const { list, more, hasFailed } = useList(first, place)
  const { conversations, requests, page, pages } = list
  const isInbox = place.in === 'inbox'
  const scroller = useRef<HTMLDivElement>(null)
  const begin = useEffectEvent(() => scrolledTo?.place.in === place.in && scroller.current?.scrollTo({ top: scrolledTo.top }))
  useLayoutEffect(() => void begin(), [])
  return (
    <section className={css.pane} aria-label={words(isInbox ? 'messages' : 'requests')}>
      <Head place={place} isAlone={current === null} />
      <Search place={place} />
      <div ref={scroller} className={css.scroller} onScroll={({ currentTarget }) => (scrolledTo = { place, top: currentTarget.scrollTop })}>
        {isInbox && !place.search && requests > 0 && (
          <Link to={pathTo({ ...place, in: 'requests' })} className={css.requests}>
            <Icon name="person" /> {words('requests')} <span className={css.waiting}>{requests}</span>
          </Link>
        )}
        {conversations.length === 0 && <EmptyList place={place} />}
        <ol className={css.list}>
          {conversations.map((one) => (
            <Row key={one.member.id} of={one} place={place} isCurrent={one.member.id === current} />
          ))}
        </ol>
        {hasFailed && <Failed retry={() => void more()} />}
        {page < pages && !hasFailed && <More key={page} more={more} label={words('more')} />}
      </div>
    </section>
  )
}

function Head({ place, isAlone }: { place: MailboxView; isAlone: boolean }) {
  const words = useWords('message')
  const [isChoosing, choose] = useState(false)
  const Heading = isAlone ? 'h1' : 'h2'
  return (
    <header className={css.head}>
      {place.in === 'requests' && (
        <Link to={pathTo({ in: 'inbox', search: '' })} className="icon" aria-label={words('back')}>
          <Icon name="left" />
        </Link>
      )}
      <Heading>{words(place.in === 'inbox' ? 'messages' : 'requests')}</Heading>
      <Menu label={words('actions')}>
        <MarkAll />
        <MenuButton onClick={() => choose(true)}>{words('sendersSetting')}</MenuButton>
      </Menu>
      <SendersDialog isOpen={isChoosing} close={() => choose(false)} />
    </header>
  )
}

function MarkAll() {
  const words = useWords('message')
  const api = useApi()
  const { privateMessageCount } = unread.use()
  const mark = useAction<typeof markAllRead>('/user/control/markAllPrivateMessagesAsRead')
  async function all(): Promise<void> {
    if ((await mark.run({}, { onSuccess: () => announceChange(), message: words('allMarked') })) !== undefined) await loadCounts(api)
  }
  return (
    <MenuButton disabled={mark.isBusy || privateMessageCount === 0} onClick={() => void all()}>
      {words('markAll')}
    </MenuButton>
  )
}

const pauseMs = 300

/** Searches names and messages; debounced. */
function Search({ place }: { place: MailboxView }) {
  const words = useWords('message')
  const [, setQuery] = useSearchParams()
  const [text, setText] = useState(place.search)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function look(search: string): void {
    clearTimeout(timer.current)
    setQuery(
      (query) => {
        if (search.trim()) query.set('search', search.trim())
        else query.delete('search')
        query.delete('messageId')
        return query
      },
      { replace: true, preventScrollReset: true },
    )
  }

  function type(next: string): void {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => look(next), next ? pauseMs : 0)
  }

  return (
    <form
      role="search"
      aria-label={words('search')}
      className={css.search}
      onSubmit={(event) => {
        event.preventDefault()
        look(text)
      }}
    >
      <input
        type="search"
        aria-label={words('search')}
        placeholder={words('search')}
        value={text}
        maxLength={100}
        autoComplete="off"
        onChange={({ target }) => type(target.value)}
      />
    </form>
  )
}

function EmptyList({ place }: { place: MailboxView }): ReactNode {
  const words = useWords('message')
  if (place.search) return <Empty>{words('noneFound', { search: place.search })}</Empty>
  if (place.in === 'requests') return <Empty>{words('noRequests')}</Empty>
  const around = (
    <Link to="/index" className="button">
      {words('lookAround')}
    </Link>
  )
  return <Empty action={around}>{words('none')}</Empty>
}

/** Loads more near the end. */
function More({ more, label }: { more: () => Promise<void>; label: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const near = useEffectEvent(() => void more())
  useEffect(() => {
    const { current } = button
    if (!current) return
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && near(), { rootMargin: '300px' })
    seen.observe(current)
    return () => seen.disconnect()
  }, [])
  return (
    <button ref={button} type="button" className={`plain ${css.more}`} onClick={() => void more()}>
      {label}
    </button>
  )
}
