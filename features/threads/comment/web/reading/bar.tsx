import { useEffect, useState } from 'react'
import { member, useLoginPath } from '#account/web/account.tsx'
import { focusLater } from '#base/web/focus-later.ts'
import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { isOnPhone } from '#base/web/phone.ts'
import { ShareMenu } from '#base/web/share-menu.tsx'
import { useWords } from '#base/web/words.tsx'
import { useThread, formToContinue } from '#comment/web/thread-context.tsx'
import { floorsPanel } from '#comment/web/reading/scrubber.tsx'
import { threadPath } from '#kind/contract.ts'
import css from '#comment/web/reading/bar.module.css'

/** The bar for phones, within reach of the thumb: write, position among the comments, share. */
export function ThreadBar({ position, count }: { /** Null where there is no scrubber. */ position: string | null; count: number }) {
  const { topic } = useThread()
  const words = useWords('comment', { of: topic.kind })
  const toComments = () => document.getElementById('comments')?.scrollIntoView({ behavior: 'smooth' })
  return (
    <nav className={css.bar} aria-label={words('threadBar')}>
      <WriteButton />
      {position ? (
        <button type="button" className={css.place} popoverTarget={floorsPanel} aria-label={`${words('jumpToFloor')}: ${position}`}>
          {position}
        </button>
      ) : (
        <button type="button" className={css.place} aria-label={words('toComments', { count })} onClick={toComments}>
          <Icon name="comment" />
          {count > 0 && count}
        </button>
      )}
      <ShareMenu path={threadPath(topic.id, topic.kind)} title={document.title} />
    </nav>
  )
}

function WriteButton() {
  const { topic, mine, writing, write } = useThread()
  const words = useWords('comment', { of: topic.kind })
  const isVisitor = member.use() === null
  const toLogin = useLoginPath(`${threadPath(topic.id, topic.kind)}#write`)
  const isInView = useComposerInView()
  if (!topic.takesComments || mine?.can.comment === false || isInView) return <span className={css.none} />

  function begin(): void {
    write(formToContinue(writing))
    if (!isOnPhone()) focusLater(composer)
  }

  if (isVisitor)
    return (
      <Link to={toLogin} className={css.begin}>
        {words('begin')}
      </Link>
    )
  return (
    <button type="button" className={css.begin} disabled={!mine} onClick={begin}>
      {words(writing?.isMinimised ? 'goOnWriting' : 'begin')}
    </button>
  )
}

const composer = () => document.querySelector('[data-composer]')

/** Whether the field at the end of the thread is in view, so that there are not two. On a phone it is a sheet. */
function useComposerInView(): boolean {
  const [isInView, setInView] = useState(false)
  useEffect(() => {
    const place = composer()
    if (!place || isOnPhone()) return
    const watch = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? false))
    watch.observe(place)
    return () => watch.disconnect()
  }, [])
  return isInView
}
