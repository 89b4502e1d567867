import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { AiLabelView } from '#ai-label/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { openEditors } from '#base/editor/open-editors.ts'
import { focusNext } from '#base/web/focus-later.ts'
import { Form, Submit } from '#base/web/form.tsx'
import { useStoredFields } from '#base/editor/stored-fields.ts'
import { SheetFoot, SheetHead, useIsOnSheet } from '#base/web/sheet.tsx'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { historySettled } from '#base/web/history-step.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { addComment, addReply, editRemark, type CommentView, type remarkSource, type ReplyView } from '#comment/contract.ts'
import { AnsweredPost } from '#comment/web/answered-post.tsx'
import { useThread, type Passage } from '#comment/web/thread-context.tsx'
import { floorPath } from '#comment/web/floor-path.ts'
import { WritingSheet } from '#comment/web/writing-sheet.tsx'
import type { RemarkKind } from '#kind/contract.ts'
import { AddEnvelope } from '#red-envelope/web/red-envelope.tsx'
import { AiField, clearDraft, DocumentField, ModeratorEditFields, ownDraftKey } from '#writing/web/writing.tsx'

/** The form for a comment, possibly with a quote. After posting, the page navigates to its floor. */
export function CommentForm({ quoted }: { quoted: CommentView | null }) {
  const { topic, mine, write } = useThread()
  const words = useWords('comment', { of: topic.kind })
  const go = useNavigate()
  const draftKey = `comment ${topic.id}`
  const stored = useStoredFields(ownDraftKey(draftKey))
  useInsertedPassage(draftKey)

  // The returned promise tells the form whether the page navigates; otherwise its loaders run again.
  function posted({ commentId, floor }: { commentId: string; floor: number | null }) {
    clearDraft(draftKey)
    write(null)
    if (floor !== null) return historySettled().then(() => go(floorPath(topic.id, commentId, topic.kind)))
    toast(words('waits'))
    return undefined
  }

  return (
    <WritingSheet label={words('yours')} height="full">
      <Form endpoint={addComment} extra={{ topicId: topic.id, ...(quoted && { quotes: quoted.id }) }} onSuccess={posted}>
        <SheetHead action={words('post')} />
        {quoted && (
          <AnsweredPost
            title={words('quoting', { floor: quoted.floor, name: quoted.author?.name ?? '' })}
            segments={quoted.segments}
            drop={{ label: words('dontQuote'), go: () => write({ kind: 'comment', quotes: null }) }}
          />
        )}
        <DocumentField name="body" label={words('yours')} draftKey={draftKey} newcomer={mine?.newcomer} />
        <AiField draftKey={ownDraftKey(draftKey)} label={null} />
        <div key={stored.key} onInput={stored.store} data-beside>
          <AddEnvelope first={stored.initial} />
        </div>
        <SheetFoot>
          <Submit>{words('post')}</Submit>
        </SheetFoot>
      </Form>
    </WritingSheet>
  )
}

export function ReplyComposer({ comment, answers }: { comment: CommentView; answers: ReplyView | null }) {
  const { topic, mine } = useThread()
  const words = useWords('comment', { of: topic.kind })
  const commentId = comment.id
  const draftKey = answers ? `reply ${commentId} ${answers.id}` : `reply ${commentId}`
  const sent = useSubmitted(draftKey)
  useInsertedPassage(draftKey)
  const answered = answers ? `#reply-${answers.id}` : `#comment-${commentId}`

  function posted(reply: Output<typeof addReply>): void {
    sent(reply)
    if (!reply.isPending) focusNext(`#reply-${reply.replyId}`)
  }

  const label = answers ? words('replyTo', { name: answers.author.name }) : words('reply')
  return (
    <WritingSheet label={label} height="half" above={answered}>
      <Form endpoint={addReply} extra={{ commentId, ...(answers && { answers: answers.id }) }} onSuccess={posted}>
        <SheetHead action={words('postReply')} />
        <ReplyTarget to={answers ?? comment} isReply={answers !== null} />
        <DocumentField name="body" isPlain key={draftKey} label={label} draftKey={draftKey} newcomer={mine?.newcomer} />
        <AiField draftKey={ownDraftKey(draftKey)} label={null} />
        <Actions action={words('postReply')} back={`${answered} [data-action="reply"]`} />
      </Form>
    </WritingSheet>
  )
}

/** The answered post. Inline, the comment is right above the form; a reply may be further up. */
function ReplyTarget({ to: { author, segments }, isReply }: { to: CommentView | ReplyView; isReply: boolean }) {
  const words = useWords('comment')
  const isOnSheet = useIsOnSheet()
  if (!author || !(isOnSheet || isReply)) return null
  return <AnsweredPost title={words('replyTo', { name: author.name })} segments={segments} />
}

export function EditRemark({ of: kind, id }: { of: RemarkKind; id: string }) {
  const api = useApi()
  const words = useWords('comment')
  const { mine } = useThread()
  const draftKey = `edit ${kind} ${id}`
  const sent = useSubmitted(draftKey)
  return (
    <LoadedSource load={() => api.read<typeof remarkSource>('/comment/source', { kind, id })}>
      {({ body, isAnothers, aiLabel }) => (
        <WritingSheet label={words('edit')} height="full">
          <Form endpoint={editRemark} extra={{ kind, id }} onSuccess={sent}>
            <SheetHead action={words('save')} />
            <DocumentField
              name="body"
              isPlain={kind === 'reply'}
              label={words('edit')}
              draftKey={draftKey}
              first={body}
              newcomer={mine?.newcomer}
            />
            <AiField draftKey={ownDraftKey(draftKey)} label={aiLabel} isAnothers={isAnothers} />
            {isAnothers && <ModeratorEditFields />}
            <Actions action={words('save')} back={`#${kind}-${id}`} />
          </Form>
        </WritingSheet>
      )}
    </LoadedSource>
  )
}

/** Inserts the selected passage of a post into the editor, once per request. */
function useInsertedPassage(draftKey: string): void {
  const { writing } = useThread()
  const passage = writing && 'passage' in writing ? writing.passage : undefined
  const key = ownDraftKey(draftKey)
  const editor = openEditors.use().find((one) => one.isOf(key))
  const put = useRef<Passage>(undefined)
  useEffect(() => {
    if (!passage || !editor || put.current === passage) return
    put.current = passage
    editor.quote(passage.text)
  }, [passage, editor])
}

/** Deletes the draft of a sent post, and tells the member if it is held for review. */
function useSubmitted(draftKey: string) {
  const words = useWords('comment')
  const { write } = useThread()
  return ({ isPending }: { isPending: boolean }) => {
    clearDraft(draftKey)
    write(null)
    if (isPending) toast(words('waits'))
  }
}

type PostSource = { body: Doc; isAnothers: boolean; aiLabel: AiLabelView }

/** Loads the source of a post, then shows its form. */
function LoadedSource({ load, children }: { load: () => Promise<PostSource>; children: (written: PostSource) => ReactNode }) {
  // Loaded once, when the form opens, since a reload would replace the typed text; suspending here would load again each time.
  const [ask] = useState(() => load)
  const [source, setSource] = useState<PostSource | 'failed' | null>(null)
  const start = useCallback(() => void ask().then(setSource, () => setSource('failed')), [ask])
  useEffect(start, [start])
  if (source === 'failed') return <Failed retry={start} />
  return source ? children(source) : <Skeleton lines={3} />
}

/** `back` is the selector of the element that gets the focus on cancel. */
function Actions({ action, back }: { action: string; back: string }) {
  const words = useWords('site')
  const { write } = useThread()

  function cancel(): void {
    write(null)
    focusNext(back)
  }

  return (
    <SheetFoot>
      <Submit>{action}</Submit>
      <button type="button" className="button quiet" onClick={cancel}>
        {words('cancel')}
      </button>
    </SheetFoot>
  )
}
