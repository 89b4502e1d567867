import { useLayoutEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useHasEnded, useLoginPath, writerHere } from '#account/web/account.tsx'
import { writingHelp } from '#base/web/assistant.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { clearDraft as dropDraft } from '#base/web/editor/draft-place.ts'
import { useForm } from '#base/web/form.tsx'
import { useNeeded } from '#base/web/later.ts'
import { Link } from '#base/web/link.tsx'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { ThreadKind } from '#kind/contract.ts'
import { VerifyFirst } from '#real-name/web/real-name.tsx'
import type { NewcomerView } from '#writing/contract.ts'

export { AiField } from '#writing/web/ai-field.tsx'
export { EditOfAnothers, RemovalOfAnothers } from '#writing/web/anothers.tsx'

type DocumentFieldProps = {
  name: string
  label: string
  draftKey: string
  /** The post as it was, when it is written anew. */
  first?: Doc
  /** A remark: paragraphs, pictures, links and mentions. */
  isPlain?: boolean
  isTall?: boolean
  /** Parts of it may be hidden. */
  hides?: boolean
  /** What a new member is told before they write. */
  newcomer?: NewcomerView | undefined
  /** The kind of thread that it opens, in a form with a title. */
  opens?: ThreadKind
}

const nothingWritten: Doc = { type: 'doc', content: [{ type: 'paragraph' }] }

/** As many lines as leave the room that the editor takes, with what it says of hiding. */
function linesOf({ opens, first, isPlain, hides }: Pick<DocumentFieldProps, 'opens' | 'first' | 'isPlain' | 'hides'>): number {
  if (opens) return (first ? 12 : 8) + (hides ? 2 : 0)
  return isPlain ? 3 : 6
}

/** The field of a form in which a post is written. Its editor comes when it is needed, so that pages one reads stay small. */
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
  const { errors, wait, hold, mend } = useForm()
  const { part, hasFailed, retry } = useNeeded(() => import('#writing/web/post-editor.tsx'))
  const [start] = useState(first ?? nothingWritten)
  const hasEnded = useHasEnded()
  const help = writingHelp.use()
  // Before the editor tells of a draft, which counts for more.
  useLayoutEffect(() => hold(name, start), [hold, name, start])
  if (hasFailed) return <Failed retry={retry} />
  if (!part) return <Skeleton lines={linesOf({ opens, first, isPlain, hides })} />

  const waits = wait !== null && name in wait.says
  // What is said of the wait changes each second; what else is wrong is said as ever.
  const isWaiting = waits && errors[name] === wait.says[name]

  function write(doc: Doc): void {
    hold(name, doc)
    mend(name)
  }
  return (
    <>
      <part.PostEditor
        label={label}
        draftKey={keyOfMine(draftKey)}
        hides={hides}
        kind={isPlain ? 'reply' : isTall || opens ? 'topic' : 'comment'}
        first={first}
        write={write}
        error={isWaiting ? undefined : errors[name]}
        waitsUntil={waits ? wait.until : null}
        newcomer={newcomer}
        note={hasEnded && <SessionEnded draftKey={draftKey} />}
      />
      {help && <help.WritingHelp key={draftKey} draftKey={keyOfMine(draftKey)} opens={opens} />}
      <VerifyFirst place={hashOf(draftKey)} />
    </>
  )
}

/** The text stays where it is. Who logs in again comes back to it. */
function SessionEnded({ draftKey }: { draftKey: string }) {
  const words = useWords('writing')
  const { pathname, search } = useLocation()
  const to = useLoginPath(pathname + search + hashOf(draftKey))
  return (
    <>
      {words('sessionEnded')} <Link to={to}>{words('logInAgain')}</Link>
    </>
  )
}

/** What leads, on its page, to the form in which this is written: `#write` to the one that stands there, else `#write-reply-5`. */
export function hashOf(place: string): string {
  return /^(topic|question|comment|edit topic)\b/.test(place) ? '#write' : `#write-${place.replaceAll(' ', '-')}`
}

/** Drops the draft of a post that is sent now. */
export function clearDraft(draftKey: string): void {
  dropDraft(keyOfMine(draftKey))
}

// Whoever logs in here next must not find what another was writing.
export function keyOfMine(draftKey: string): string {
  return `${writerHere()?.userId ?? ''} ${draftKey}`
}
