import { createContext, useContext, useMemo, useState, type ComponentType, type ReactNode } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { Output } from '#base/contract.ts'
import { idlePart, useIdleInUse, useIdlePart, useLater } from '#base/web/lazy-part.ts'
import type { CommentView, listComments, myThread, ReplyView } from '#comment/contract.ts'
import type { RemarkKind, ThreadKind } from '#kind/contract.ts'

declare module '#base/web/places.tsx' {
  interface Places {
    /** Marks behind the name of the author of a comment or reply. */
    'remark.by': { post: CommentView | ReplyView }
    /** Below the text of a comment, in a block of this class. */
    'comment.belowText': { comment: CommentView; className: string | undefined }
    /** The first buttons in the row of actions of a comment or reply. */
    'remark.actions': { kind: RemarkKind; post: CommentView | ReplyView; authorId: string }
  }
}

/** The post that is being written on the page; one at a time. */
export type ComposerState = (
  | { kind: 'comment'; quotes: CommentView | null; /** The selected passage to quote. */ passage?: Passage }
  | { kind: 'reply'; commentId: string; answers: ReplyView | null; passage?: Passage }
  | { kind: 'edit'; of: RemarkKind; id: string }
) & { /** Its sheet is minimised. */ isMinimised?: boolean }

/** A passage is an object, so that a second request for the same text differs by identity. */
export type Passage = { text: string }

type Topic = { id: string; kind: ThreadKind; takesComments: boolean; floors: number; commentCount: number; author: { id: string } }

export type CommentList = Output<typeof listComments>

/** The rendering hooks of the reader's tools. They load after the text. */
export type ReaderTools = {
  /** Renders the comments in a layout other than pages of floors. */
  List: ComponentType<{ list: CommentList }> | null
  /** Content above a comment, such as the mark where new comments begin. */
  above: (comment: CommentView) => ReactNode
  /** The order of replies to a comment, with their indentation. */
  order: (replies: readonly ReplyView[]) => { reply: ReplyView; depth: number }[]
}

export type ThreadState = {
  topic: Topic
  mine: Output<typeof myThread> | null
  writing: ComposerState | null
  write: (writing: ComposerState | null) => void
  tools: ReaderTools | null
  /** The module with actions for members; null until it is loaded. */
  actions: typeof import('#comment/web/actions.tsx') | null
  /** The accepted answer, which is first on the first page, where it is known by then. */
  bestId: string | null
  best: CommentView | null
  /** Additional actions on an answer. */
  actionsFor: ComponentType<{ comment: CommentView }> | null
}

/** The form to continue: a minimised one, otherwise a new comment. */
export function formToContinue(writing: ComposerState | null): ComposerState {
  return writing?.isMinimised ? { ...writing, isMinimised: false } : { kind: 'comment', quotes: null }
}

export const ThreadContext = createContext<ThreadState | null>(null)

// Kept across visits, so that a thread renders at its former height when the reader returns.
let actionsHere: ThreadState['actions'] = null

async function bringActions(): Promise<NonNullable<ThreadState['actions']>> {
  actionsHere = await idlePart(import('#comment/web/actions.tsx'))
  return actionsHere
}

type Props = Pick<ThreadState, 'topic' | 'mine'> &
  Partial<Pick<ThreadState, 'bestId' | 'actionsFor'>> & { list: CommentList; children: ReactNode }

/** The context of a thread: the member's permissions, the open form, and the reader's tools. */
export function ThreadProvider({ topic, mine, bestId = null, actionsFor = null, list, children }: Props) {
  const best = list.best ?? list.comments.find(({ id }) => id === bestId) ?? null
  const [writing, write] = useState<ComposerState | null>(null)
  const [tools, setTools] = useState<ReaderTools | null>(null)
  const isNeeded = useIdleInUse() || mine !== null
  const reading = useIdlePart(() => import('#comment/web/reading/reading.tsx'), isNeeded)
  const come = useIdlePart(bringActions, isNeeded)
  const actions = come ?? (mine && actionsHere)
  const { hash } = useLocation()
  const goOn = useLater(() => import('#comment/web/resume-draft.tsx'), mine !== null && hash.startsWith('#write'))
  // A new object would render all comments again.
  const state = useMemo(
    () => ({ topic, mine, bestId, best, actionsFor, writing, write, tools, actions }),
    [topic, mine, bestId, best, actionsFor, writing, tools, actions],
  )
  return (
    <ThreadContext value={state}>
      {children}
      {reading && <reading.Reading list={list} setTools={setTools} />}
      {goOn && mine && <goOn.ResumeDraft list={list} />}
    </ThreadContext>
  )
}

export function useThread(): ThreadState {
  const desk = useContext(ThreadContext)
  if (!desk) throw new Error('Comments are written on a desk')
  return desk
}

type BestFirst = (comments: readonly CommentView[], page: number, firstShown?: number) => readonly CommentView[]

/** Moves the best answer to the top of the first page, in any order, and removes it from later pages. */
export function useBestFirst(): BestFirst {
  const { bestId, best: known } = useThread()
  const [query] = useSearchParams()
  const isPart = query.get('onlyAuthor') === 'true'
  return (comments, page, firstShown = page) => {
    const best = known ?? comments.find(({ id }) => id === bestId)
    if (!best || isPart || firstShown > 1) return comments
    const others = comments.filter(({ id }) => id !== best.id)
    return page === 1 ? [best, ...others] : others
  }
}
