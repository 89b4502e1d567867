import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { MembersOnly } from '#account/web/account.tsx'
import type { Doc } from '#base/rich-text/document.ts'
import { useApi } from '#base/web/api.ts'
import { Form, Submit } from '#base/web/form.tsx'
import { Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { addComment, addReply, editComment, editReply, type commentSource, type ReplyView, type replySource } from '#comment/contract.ts'
import { useDesk } from '#comment/web/desk.tsx'
import { clearDraft, DocumentField } from '#writing/web/writing.tsx'
import css from '#comment/web/comment-form.module.css'

/** At the foot of the thread: where members comment, and visitors are told how to. */
export function CommentComposer() {
  const words = useWords('comment')
  const { topic, mine, writing, write } = useDesk()
  const go = useNavigate()
  const place = useRef<HTMLElement>(null)
  const quoted = writing?.kind === 'comment' ? writing.quotes : null
  const draftKey = `comment ${topic.id}`
  useEffect(() => {
    if (quoted) place.current?.scrollIntoView({ block: 'center', behavior: 'smooth' })
  }, [quoted])
  if (!topic.takesComments) return <p className="note">{words('closed')}</p>

  function posted({ commentId }: { commentId: string }): void {
    clearDraft(draftKey)
    write(null)
    void go(`/thread?topicId=${topic.id}&commentId=${commentId}`)
  }

  return (
    <section ref={place} className={css.composer} aria-label={words('yours')}>
      <MembersOnly why={words('membersOnly')}>
        {mine && !mine.can.comment ? (
          <p className="note">{words('notHere')}</p>
        ) : (
          <Form sends={addComment} along={{ topicId: topic.id, ...(quoted && { quotes: quoted.id }) }} then={posted}>
            {quoted && (
              <p className={css.quoting}>
                {words('quoting', { floor: quoted.floor, name: quoted.author?.name ?? '' })}
                <button type="button" className="plain" onClick={() => write(null)}>
                  {words('dontQuote')}
                </button>
              </p>
            )}
            <DocumentField name="body" label={words('yours')} draftKey={draftKey} />
            <Submit>{words('post')}</Submit>
          </Form>
        )}
      </MembersOnly>
    </section>
  )
}

export function ReplyComposer({ commentId, answers }: { commentId: string; answers: ReplyView | null }) {
  const words = useWords('comment')
  const { write } = useDesk()
  const draftKey = `reply ${commentId} ${answers?.id ?? ''}`
  return (
    <Form
      sends={addReply}
      along={{ commentId, ...(answers && { answers: answers.id }) }}
      then={() => {
        clearDraft(draftKey)
        write(null)
      }}
    >
      <DocumentField name="body" isPlain key={draftKey} label={answers ? words('replyTo', { name: answers.author.name }) : words('reply')} draftKey={draftKey} />
      <Deeds deed={words('postReply')} />
    </Form>
  )
}

export function EditComment({ commentId }: { commentId: string }) {
  const api = useApi()
  const words = useWords('comment')
  const { write } = useDesk()
  const draftKey = `edit comment ${commentId}`
  return (
    <Source load={async () => (await api.read<typeof commentSource>('/comment/source', { commentId })).body}>
      {(first) => (
        <Form sends={editComment} along={{ commentId }} then={() => done(draftKey, write)}>
          <DocumentField name="body" label={words('edit')} draftKey={draftKey} first={first} />
          <Deeds deed={words('save')} />
        </Form>
      )}
    </Source>
  )
}

export function EditReply({ replyId }: { replyId: string }) {
  const api = useApi()
  const words = useWords('comment')
  const { write } = useDesk()
  const draftKey = `edit reply ${replyId}`
  return (
    <Source load={async () => (await api.read<typeof replySource>('/comment/replySource', { replyId })).body}>
      {(first) => (
        <Form sends={editReply} along={{ replyId }} then={() => done(draftKey, write)}>
          <DocumentField name="body" isPlain label={words('edit')} draftKey={draftKey} first={first} />
          <Deeds deed={words('save')} />
        </Form>
      )}
    </Source>
  )
}

function done(draftKey: string, write: (writing: null) => void): void {
  clearDraft(draftKey)
  write(null)
}

/** Waits for a post as it was written, then shows its form. */
function Source({ load, children }: { load: () => Promise<Doc>; children: (first: Doc) => ReactNode }) {
  const [first, setFirst] = useState<Doc | null>(null)
  useEffect(() => {
    void load().then(setFirst)
    // Loaded once, when the form opens; what is typed must not be replaced.
  }, [])
  return first ? children(first) : <Skeleton lines={3} />
}

function Deeds({ deed }: { deed: string }) {
  const words = useWords('site')
  const { write } = useDesk()
  return (
    <p className={css.deeds}>
      <Submit>{deed}</Submit>
      <button type="button" className="button quiet" onClick={() => write(null)}>
        {words('cancel')}
      </button>
    </p>
  )
}
