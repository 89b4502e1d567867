import { useLayoutEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useHasSessionEnded, useLoginPath, currentAuthor } from '#account/web/account.tsx'
import type { Doc } from '#base/rich-text/document.ts'
import { clearDraft as dropDraft } from '#base/editor/draft-store.ts'
import { useForm } from '#base/web/form.tsx'
import { useNeeded } from '#base/web/lazy-part.ts'
import { Link } from '#base/web/link.tsx'
import { Place } from '#base/web/places.tsx'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { ThreadKind } from '#kind/contract.ts'
import { VerifyFirst } from '#real-name/web/real-name.tsx'
import type { NewcomerView } from '#writing/contract.ts'

export { AiField } from '#writing/web/ai-field.tsx'
export { ModeratorEditFields, ModeratorRemoval } from '#writing/web/moderator-fields.tsx'

declare module '#base/web/places.tsx' {
  interface Places {
    /** Tools for the author of a text, with the draft key of its editor, and the kind of thread that it opens, with a title and tags. */
    'editor.tools': { draftKey: string; threadKind: ThreadKind | undefined }
  }
}

type DocumentFieldProps = {
  name: string
  label: string
  draftKey: string
  /** The present content, for an edit. */
  first?: Doc
  /** For a reply: paragraphs, pictures, links and mentions only. */
  isPlain?: boolean
  isTall?: boolean
  /** Parts of it may be hidden. */
  hides?: boolean
  /** The limits shown to a new member. */
  newcomer?: NewcomerView | undefined
  /** The kind of thread that it opens, in a form with a title. */
  opens?: ThreadKind
}

const nothingWritten: Doc = { type: 'doc', content: [{ type: 'paragraph' }] }

/** The number of skeleton lines with the height of the editor and its note on hidden parts. */
function linesOf({ opens, first, isPlain, hides }: Pick<DocumentFieldProps, 'opens' | 'first' | 'isPlain' | 'hides'>): number {
  if (opens) return (first ? 12 : 8) + (hides ? 2 : 0)
  return isPlain ? 3 : 6
}

/** The form field for a post. Its editor is loaded on demand, so that pages for readers stay small. */
export function DocumentField({
  name,
  label,
  draftKey,
  first,
  isPlain = false,
  isTall = false,
  hides = false,
  newcomer = null,
  opens,
}: DocumentFieldProps) {
  const { errors, wait, setValue, clearError } = useForm()
  const { part, hasFailed, retry } = useNeeded(() => import('#writing/web/post-editor.tsx'))
  const [start] = useState(first ?? nothingWritten)
  const hasEnded = useHasSessionEnded()
  // Before the editor reports a draft, which takes precedence.
  useLayoutEffect(() => setValue(name, start), [setValue, name, start])
  if (hasFailed) return <Failed retry={retry} />
  if (!part) return <Skeleton lines={linesOf({ opens, first, isPlain, hides })} />

  const waits = wait !== null && name in wait.messages
  // The cooldown's message changes every second and is not announced; other errors are.
  const isWaiting = waits && errors[name] === wait.messages[name]

  function write(doc: Doc): void {
    setValue(name, doc)
    clearError(name)
  }
  return (
    <>
      <part.PostEditor
        label={label}
        draftKey={ownDraftKey(draftKey)}
        hides={hides}
        kind={isPlain ? 'reply' : isTall || opens ? 'topic' : 'comment'}
        first={first}
        write={write}
        error={isWaiting ? undefined : errors[name]}
        waitsUntil={waits ? wait.until : null}
        newcomer={newcomer}
        note={hasEnded && <SessionEnded draftKey={draftKey} />}
      />
      <Place key={draftKey} name="editor.tools" draftKey={ownDraftKey(draftKey)} threadKind={opens} />
      <VerifyFirst hash={formHash(draftKey)} />
    </>
  )
}

/** The text stays and is restored after the next login. */
function SessionEnded({ draftKey }: { draftKey: string }) {
  const words = useWords('writing')
  const { pathname, search } = useLocation()
  const to = useLoginPath(pathname + search + formHash(draftKey))
  return (
    <>
      {words('sessionEnded')} <Link to={to}>{words('logInAgain')}</Link>
    </>
  )
}

/** The hash that leads to the form in its page: `#write` to the comment form, or `#write-reply-5`. */
export function formHash(place: string): string {
  return /^(topic|question|comment|edit topic)\b/.test(place) ? '#write' : `#write-${place.replaceAll(' ', '-')}`
}

/** Deletes the draft of a sent post. */
export function clearDraft(draftKey: string): void {
  dropDraft(ownDraftKey(draftKey))
}

// Drafts are separate by member, since another may log in on the same device.
export function ownDraftKey(draftKey: string): string {
  return `${currentAuthor()?.userId ?? ''} ${draftKey}`
}
