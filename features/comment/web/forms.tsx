import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { useWords } from '#base/web/words.tsx'
import { MembersOnly } from '#account/web/account.tsx'
import { later } from '#base/web/later.ts'
import { isOnPhone } from '#base/web/phone.ts'
import { Skeleton } from '#base/web/states.tsx'
import { useDesk, writingOn } from '#comment/web/desk.tsx'
import css from '#comment/web/comment-form.module.css'

// Whoever only reads never loads what writing needs.
const CommentForm = lazy(async () => ({ default: (await later(import('#comment/web/comment-form.tsx'))).CommentForm }))

export function Loading({ children }: { children: ReactNode }) {
  return <Suspense fallback={<Skeleton lines={3} />}>{children}</Suspense>
}

/** At the foot of the thread: where members comment, and visitors are told how to. */
export function CommentComposer() {
  const { topic, mine, writing, write } = useDesk()
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
  if (!topic.takesComments) return <p className="note">{words('takesNone')}</p>
  return (
    <section ref={place} className={css.composer} data-composer aria-label={words('yours')}>
      <MembersOnly why={words('membersOnly')} place="#write">
        {mine?.can.comment === false ? (
          <p className="note">{words('notHere')}</p>
        ) : (
          <>
            {isSheet && (
              <button type="button" className={css.begin} onClick={() => write(writingOn(writing))}>
                {words('begin')}
              </button>
            )}
            {(!isSheet || writing?.kind === 'comment') && (
              <Loading>
                <CommentForm quoted={quoted} />
              </Loading>
            )}
          </>
        )}
      </MembersOnly>
    </section>
  )
}
