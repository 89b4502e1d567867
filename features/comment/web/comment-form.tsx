import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Doc } from '#base/rich-text/document.ts'
import { useApi } from '#base/web/api.ts'
import { Form, Submit } from '#base/web/form.tsx'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import {
  addComment,
  addReply,
  editComment,
  editReply,
  type commentSource,
  type CommentView,
  type ReplyView,
  type replySource,
} from '#comment/contract.ts'
import { useDesk } from '#comment/web/desk.tsx'
import { floorPath } from '#comment/web/floor-path.ts'
import { remarks } from '#comment/web/remarks.ts'
import type { RemarkKind } from '#kind/contract.ts'
import { clearDraft, DocumentField, EditOfAnothers } from '#writing/web/writing.tsx'
import css from '#comment/web/comment-form.module.css'

/** A comment of one's own, perhaps with a quote. When it is posted, the page goes to its floor. */
export function CommentForm({ quoted }: { quoted: CommentView | null }) {
  const { topic, mine, write } = useDesk()
  const words = useWords('comment', { of: topic.kind })
  const go = useNavigate()
  const draftKey = `comment ${topic.id}`

  function posted({ commentId, floor }: { commentId: string; floor: number | null }) {
    clearDraft(draftKey)
    write(null)
    if (floor !== null) return go(floorPath(topic.id, commentId, topic.kind))
    say(words('waits'))
    return undefined
  }

  return (
    <Form sends={addComment} along={{ topicId: topic.id, ...(quoted && { quotes: quoted.id }) }} then={posted}>
      {quoted && (
        <p className={css.quoting}>
          {words('quoting', { floor: quoted.floor, name: quoted.author?.name ?? '' })}
          <button type="button" className="plain" onClick={() => write(null)}>
            {words('dontQuote')}
          </button>
        </p>
      )}
      <DocumentField name="body" label={words('yours')} draftKey={draftKey} newcomer={mine?.newcomer} />
      <p className="deeds">
        <Submit>{words('post')}</Submit>
      </p>
    </Form>
  )
}

export function ReplyComposer({ commentId, answers }: { commentId: string; answers: ReplyView | null }) {
  const { topic, mine } = useDesk()
  const words = useWords('comment', { of: topic.kind })
  const draftKey = answers ? `reply ${commentId} ${answers.id}` : `reply ${commentId}`
  const sent = useSent(draftKey)
  return (
    <Form sends={addReply} along={{ commentId, ...(answers && { answers: answers.id }) }} then={sent}>
      <DocumentField
        name="body"
        isPlain
        key={draftKey}
        label={answers ? words('replyTo', { name: answers.author.name }) : words('reply')}
        draftKey={draftKey}
        newcomer={mine?.newcomer}
      />
      <Deeds deed={words('postReply')} />
    </Form>
  )
}

export function EditRemark({ of: kind, id }: { of: RemarkKind; id: string }) {
  const api = useApi()
  const words = useWords('comment')
  const { mine } = useDesk()
  const { named, calls, isPlain } = remarks[kind]
  const draftKey = `edit ${kind} ${id}`
  const sent = useSent(draftKey)
  return (
    <Source load={() => api.read<typeof commentSource | typeof replySource>(calls.source, named(id))}>
      {({ body, isAnothers }) => (
        <Form sends={edits[kind]} along={named(id)} then={sent}>
          <DocumentField name="body" isPlain={isPlain} label={words('edit')} draftKey={draftKey} first={body} newcomer={mine?.newcomer} />
          {isAnothers && <EditOfAnothers />}
          <Deeds deed={words('save')} />
        </Form>
      )}
    </Source>
  )
}

const edits = { comment: editComment, reply: editReply }

/** What is sent is no draft any more; where it waits, that is said. */
function useSent(draftKey: string) {
  const words = useWords('comment')
  const { write } = useDesk()
  return ({ isPending }: { isPending: boolean }) => {
    clearDraft(draftKey)
    write(null)
    if (isPending) say(words('waits'))
  }
}

type Written = { body: Doc; isAnothers: boolean }

/** Waits for a post as it was written, then shows its form. */
function Source({ load, children }: { load: () => Promise<Written>; children: (written: Written) => ReactNode }) {
  // Asked for once, when the form opens: what is typed must not be replaced. What suspends here would be asked for anew each time.
  const [ask] = useState(() => load)
  const [source, setSource] = useState<Written | 'failed' | null>(null)
  const start = useCallback(() => void ask().then(setSource, () => setSource('failed')), [ask])
  useEffect(start, [start])
  if (source === 'failed') return <Failed retry={start} />
  return source ? children(source) : <Skeleton lines={3} />
}

function Deeds({ deed }: { deed: string }) {
  const words = useWords('site')
  const { write } = useDesk()
  return (
    <p className="deeds">
      <Submit>{deed}</Submit>
      <button type="button" className="button quiet" onClick={() => write(null)}>
        {words('cancel')}
      </button>
    </p>
  )
}
