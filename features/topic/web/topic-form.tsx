import { useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Link } from '#base/web/link.tsx'
import type { AiLabelView } from '#ai-label/contract.ts'
import type { Endpoint } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { draftHere } from '#base/web/editor/draft-place.ts'
import { focusLater } from '#base/web/focus-later.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { useKeptFields, type Fields, type KeptFields } from '#base/web/kept-fields.ts'
import { PageSheet, SheetFoot, SheetHead } from '#base/web/sheet.tsx'
import { useWords } from '#base/web/words.tsx'
import { threadPath, type ThreadKind } from '#kind/contract.ts'
import { TagField, type TagChoice } from '#tag/web/tag.tsx'
import type { publishTopic } from '#topic/contract.ts'
import type { NewcomerView } from '#writing/contract.ts'
import { AiField, clearDraft, DocumentField, EditOfAnothers, keyOfMine } from '#writing/web/writing.tsx'
import css from '#topic/web/topic-form.module.css'

const redirectMs = 3_000

type TopicFormProps = {
  kind?: ThreadKind
  /** A call that publishes a thread or edits one. */
  sends: Endpoint
  along?: Record<string, string>
  draftKey: string
  first?: { title: string; body: Doc; aiLabel: AiLabelView }
  tags: TagChoice
  newcomer: NewcomerView
  /** Somebody else wrote it. */
  isAnothers?: boolean
  deed: string
  /** What stands under the title, given what was filled in before. */
  renderBeside?: ((kept: Fields) => ReactNode) | undefined
  /** What stands under the text, given what was filled in before. */
  renderAfter?: ((kept: Fields) => ReactNode) | undefined
}

type Answer = { topicId?: string; questionId?: string; isPending: boolean }

/** Opens a thread or writes its opening anew. When it is done it says so, and goes there after three seconds. */
export function TopicForm({
  kind = 'topic',
  sends,
  along,
  draftKey,
  first,
  tags,
  newcomer,
  isAnothers = false,
  deed,
  renderBeside,
  renderAfter,
}: TopicFormProps) {
  const words = useWords('topic')
  const [done, setDone] = useState<Answer | null>(null)
  const key = keyOfMine(draftKey)
  const kept = useKeptFields(key)

  function published(answer: Answer): void {
    clearDraft(draftKey)
    setDone(answer)
  }

  if (done) return <Done answer={done} kind={kind} />
  return (
    <OnSheet kind={kind} deed={deed} sends={sends as typeof publishTopic} {...(along && { along })} then={published}>
      <div key={kept.key} onInput={kept.keep}>
        <TitleField first={kept.first['title'] ?? first?.title} />
        {renderBeside?.(kept.first)}
        <TagField {...tags} first={tagsIn(kept.first, tags.first)} />
      </div>
      <Room draftKey={draftKey}>
        <DocumentField
          name="body"
          label={words('body')}
          draftKey={draftKey}
          newcomer={newcomer}
          hides={kind === 'topic'}
          opens={kind}
          {...(first && { first: first.body })}
        />
      </Room>
      <AiField draftKey={key} label={first?.aiLabel ?? null} isAnothers={isAnothers} />
      {renderAfter && <After key={`after ${kept.key}`} kept={kept} render={renderAfter} />}
      {isAnothers && <EditOfAnothers />}
    </OnSheet>
  )
}

type OnSheetProps = Omit<ComponentProps<typeof Form<typeof publishTopic>>, 'children'> & {
  kind: ThreadKind
  deed: string
  children: ReactNode
}

/** The form in its page, on a phone on a sheet. */
function OnSheet({ kind, deed, children, ...wish }: OnSheetProps) {
  const words = useWords('topic')
  return (
    <PageSheet label={wish.along ? words('editTitle', { kind }) : deed} back={kind === 'question' ? '/askList' : '/index'}>
      <Form {...wish}>
        <SheetHead deed={deed} />
        {children}
        <SheetFoot>
          <Submit>{deed}</Submit>
        </SheetFoot>
      </Form>
    </PageSheet>
  )
}

/** More to fill in, which is kept like the rest. */
function After({ kept, render }: { kept: KeptFields; render: (kept: Fields) => ReactNode }) {
  return <div onInput={kept.keep}>{render(kept.first)}</div>
}

function TitleField({ first }: { first: string | undefined }) {
  const words = useWords('topic')
  return <Field name="title" label={words('title')} help={words('titleHelp')} maxLength={90} defaultValue={first} autoComplete="off" />
}

/** Where the text is written: as high as it will be, before its editor is here. Who comes to go on writing finds the cursor in it. */
function Room({ draftKey, children }: { draftKey: string; children: ReactNode }) {
  const [hasText] = useState(() => draftHere(keyOfMine(draftKey)).text !== null)
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

function Done({ answer: { topicId, questionId, isPending }, kind }: { answer: Answer; kind: ThreadKind }) {
  return isPending ? <Waits /> : <Published path={threadPath(topicId ?? questionId ?? '', kind)} />
}

function Waits() {
  const words = useWords('topic')
  return (
    <p className="note" role="status">
      {words('waits')} <Link to="/user/control/waitingList">{words('waitsWhere')}</Link>
    </p>
  )
}

/** Says that it is done, and goes there, unless one has gone elsewhere by then. */
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

// What was filled in before counts for more than what it has.
function tagsIn({ tagId, tagIds }: Fields, first: readonly string[] = []): string[] {
  if (tagId === undefined && tagIds === undefined) return [...first]
  return [tagId ?? first[0] ?? '', ...(tagIds?.split(' ') ?? first.slice(1))].filter(Boolean)
}
