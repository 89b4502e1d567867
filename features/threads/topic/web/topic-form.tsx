import { useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Link } from '#base/web/link.tsx'
import type { AiLabelView } from '#ai-label/contract.ts'
import type { Endpoint } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { currentDraft } from '#base/editor/draft-store.ts'
import { focusLater } from '#base/web/focus-later.ts'
import { Field, Form, Submit, useForm } from '#base/web/form.tsx'
import { Place } from '#base/web/places.tsx'
import { useStoredFields, type FieldValues, type StoredFields } from '#base/editor/stored-fields.ts'
import { PageSheet, SheetFoot, SheetHead } from '#base/web/sheet.tsx'
import { useSuggestible } from '#base/web/suggestible.ts'
import { useWords } from '#base/web/words.tsx'
import { threadPath, type ThreadKind } from '#kind/contract.ts'
import { TagField, type TagChoice } from '#tag/web/tag.tsx'
import type { publishTopic } from '#topic/contract.ts'
import type { NewcomerView } from '#writing/contract.ts'
import { AiField, clearDraft, DocumentField, ModeratorEditFields, ownDraftKey } from '#writing/web/writing.tsx'
import css from '#topic/web/topic-form.module.css'

declare module '#base/web/places.tsx' {
  interface Places {
    /** Fields that a new thread may come with. `first` are those of the draft, by name. */
    'topicForm.belowText': { kind: ThreadKind; first: FieldValues }
  }
}

const redirectMs = 3_000

type TopicFormProps = {
  kind?: ThreadKind
  /** The endpoint that publishes or edits the thread. */
  sends: Endpoint
  along?: Record<string, string>
  draftKey: string
  first?: { title: string; body: Doc; aiLabel: AiLabelView }
  tags: TagChoice
  newcomer: NewcomerView
  /** The member edits a thread of another author. */
  isAnothers?: boolean
  action: string
  /** The content under the title, given the saved fields. */
  renderBeside?: ((kept: FieldValues) => ReactNode) | undefined
}

type SubmitResult = { topicId?: string; questionId?: string; isPending: boolean }

/** The form that opens a thread or edits its opening. It confirms success and opens the thread after three seconds. */
export function TopicForm({
  kind = 'topic',
  sends,
  along,
  draftKey,
  first,
  tags,
  newcomer,
  isAnothers = false,
  action,
  renderBeside,
}: TopicFormProps) {
  const words = useWords('topic')
  const [done, setDone] = useState<SubmitResult | null>(null)
  const key = ownDraftKey(draftKey)
  const stored = useStoredFields(key)

  function published(answer: SubmitResult): void {
    clearDraft(draftKey)
    setDone(answer)
  }

  if (done) return <SubmittedNote answer={done} kind={kind} />
  return (
    <FormSheet kind={kind} action={action} endpoint={sends as typeof publishTopic} {...(along && { extra: along })} onSuccess={published}>
      <div key={stored.key} onInput={stored.store}>
        <TitleField first={stored.initial['title'] ?? first?.title} />
        {renderBeside?.(stored.initial)}
        <TagField {...tags} first={tagsIn(stored.initial, tags.first)} />
      </div>
      <EditorSpace draftKey={draftKey}>
        <DocumentField
          name="body"
          label={words('body')}
          draftKey={draftKey}
          newcomer={newcomer}
          hides={kind === 'topic'}
          opens={kind}
          {...(first && { first: first.body })}
        />
      </EditorSpace>
      <AiField draftKey={key} label={first?.aiLabel ?? null} isAnothers={isAnothers} />
      {!first && <PartFields key={`parts ${stored.key}`} kind={kind} stored={stored} />}
      {isAnothers && <ModeratorEditFields />}
    </FormSheet>
  )
}

type FormSheetProps = Omit<ComponentProps<typeof Form<typeof publishTopic>>, 'children'> & {
  kind: ThreadKind
  action: string
  children: ReactNode
}

/** The form in its page; on a phone in a sheet. */
function FormSheet({ kind, action, children, ...wish }: FormSheetProps) {
  const words = useWords('topic')
  return (
    <PageSheet label={wish.extra ? words('editTitle', { kind }) : action} back={kind === 'question' ? '/askList' : '/index'}>
      <Form {...wish}>
        <SheetHead action={action} />
        {children}
        <SheetFoot>
          <Submit>{action}</Submit>
        </SheetFoot>
      </Form>
    </PageSheet>
  )
}

/** The fields of features, saved in the draft like the others. */
function PartFields({ kind, stored: { initial, store } }: { kind: ThreadKind; stored: StoredFields }) {
  return (
    <div onInput={store}>
      <Place name="topicForm.belowText" kind={kind} first={initial} />
    </div>
  )
}

function TitleField({ first }: { first: string | undefined }) {
  const words = useWords('topic')
  const input = useRef<HTMLInputElement>(null)
  useSuggestible(useForm().addSuggestible, 'title', {
    labelOf: (title) => title,
    take(title) {
      input.current?.focus()
      input.current?.select()
      // Like typed text, so that the browser can undo it.
      document.execCommand('insertText', false, title)
    },
  })
  const texts = { label: words('title'), help: words('titleHelp') }
  return <Field ref={input} name="title" {...texts} maxLength={90} defaultValue={first} autoComplete="off" />
}

/** The text field, at its final height before the editor has loaded. With a draft to resume, it has the focus. */
function EditorSpace({ draftKey, children }: { draftKey: string; children: ReactNode }) {
  const [hasText] = useState(() => currentDraft(ownDraftKey(draftKey)).text !== null)
  const body = useRef<HTMLDivElement>(null)
  const { hash, key } = useLocation()
  useEffect(() => {
    if (hash === '#write') focusLater(() => body.current)
  }, [hash, key])
  return (
    <div ref={body} className={css.text} data-kept={hasText || undefined}>
      {children}
    </div>
  )
}

function SubmittedNote({ answer: { topicId, questionId, isPending }, kind }: { answer: SubmitResult; kind: ThreadKind }) {
  return isPending ? <PendingNote /> : <Published path={threadPath(topicId ?? questionId ?? '', kind)} />
}

function PendingNote() {
  const words = useWords('topic')
  return (
    <p className="note" role="status">
      {words('waits')} <Link to="/user/control/waitingList">{words('waitsWhere')}</Link>
    </p>
  )
}

/** Confirms publication and opens the thread, unless the member has left the page by then. */
function Published({ path }: { path: string }) {
  const words = useWords('topic')
  const go = useNavigate()
  useEffect(() => {
    const going = setTimeout(() => void go(path, { replace: true }), redirectMs)
    return () => clearTimeout(going)
  }, [go, path])
  return (
    <p className="note" role="status">
      {words('published')}{' '}
      <Link to={path} replace>
        {words('goNow')}
      </Link>
    </p>
  )
}

// A draft overrides the saved thread.
function tagsIn({ tagId, tagIds }: FieldValues, first: readonly string[] = []): string[] {
  if (tagId === undefined && tagIds === undefined) return [...first]
  return [tagId ?? first[0] ?? '', ...(tagIds?.split(' ') ?? first.slice(1))].filter(Boolean)
}
