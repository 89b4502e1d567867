import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { useWords } from '#base/web/words.tsx'
import { member, useHasSessionEnded, useLoginPath } from '#account/web/account.tsx'
import { later } from '#base/web/lazy-part.ts'
import { Link } from '#base/web/link.tsx'
import { isOnPhone } from '#base/web/phone.ts'
import { Skeleton } from '#base/web/states.tsx'
import type { CommentView } from '#comment/contract.ts'
import { useThread } from '#comment/web/thread-context.tsx'
import { threadPath } from '#kind/contract.ts'
import css from '#comment/web/comment-form.module.css'

// Readers never load the editor.
const CommentForm = lazy(async () => ({ default: (await later(import('#comment/web/comment-form.tsx'))).CommentForm }))

export function Loading({ children }: { children: ReactNode }) {
  return <Suspense fallback={<Skeleton lines={3} />}>{children}</Suspense>
}

/** The comment form at the end of a thread; for visitors a link to log in. On a phone the thread bar opens it. */
export function CommentComposer() {
  const { topic, mine, writing } = useThread()
  const words = useWords('comment', { of: topic.kind })
  const [isSheet] = useState(() => typeof window !== 'undefined' && isOnPhone())
  const place = useRef<HTMLElement>(null)
  const quoted = writing?.kind === 'comment' ? writing.quotes : null
  const passage = writing?.kind === 'comment' ? writing.passage : null
  useEffect(() => {
    if (!(quoted || passage) || isSheet) return
    place.current?.scrollIntoView({ block: 'center', behavior: 'smooth' })
    place.current?.querySelector<HTMLElement>('[contenteditable="true"]')?.focus({ preventScroll: true })
  }, [quoted, passage, isSheet])
  const me = member.use()
  const mayWrite = useHasSessionEnded() || me
  if (!topic.takesComments) return <p className="note">{words('takesNone')}</p>
  return (
    <section ref={place} className={css.composer} data-composer aria-label={words('yours')}>
      {me === null && !mayWrite && <JoinLink />}
      {mayWrite &&
        (mine?.can.comment === false ? <p className="note">{words('notHere')}</p> : <OwnForm isSheet={isSheet} quoted={quoted} />)}
    </section>
  )
}

/** One form at a time: during a reply or an edit, the comment form is a line that leads back to it and keeps its text. */
function OwnForm({ isSheet, quoted }: { isSheet: boolean; quoted: CommentView | null }) {
  const { topic, writing, write } = useThread()
  const words = useWords('comment', { of: topic.kind })
  if (isSheet && writing?.kind !== 'comment') return null
  const isElsewhere = writing !== null && writing.kind !== 'comment'
  return (
    <>
      {isElsewhere && (
        <button type="button" className={css.begin} onClick={() => write({ kind: 'comment', quotes: null })}>
          {words('begin')}
        </button>
      )}
      <div hidden={isElsewhere}>
        <Loading>
          <CommentForm quoted={quoted} />
        </Loading>
      </div>
    </>
  )
}

/** A link to login or registration, styled like the field. */
function JoinLink() {
  const { topic } = useThread()
  const words = useWords('comment', { of: topic.kind })
  const toLogin = useLoginPath(`${threadPath(topic.id, topic.kind)}#write`)
  return (
    <Link to={toLogin} className={css.begin}>
      {words('begin')}
    </Link>
  )
}
