import { createContext, useContext, useState, type ComponentType, type ReactNode } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { Output } from '#base/contract.ts'
import { idlePart, useIdle, useIdlePart, useLater } from '#base/web/later.ts'
import type { CommentView, listComments, myThread, ReplyView } from '#comment/contract.ts'
import type { RemarkKind, ThreadKind } from '#kind/contract.ts'

/** What is being written on the page now; one thing at a time. */
export type Writing = (
  | { kind: 'comment'; quotes: CommentView | null; /** Words of a post that it repeats. */ passage?: Passage }
  | { kind: 'reply'; commentId: string; answers: ReplyView | null; passage?: Passage }
  | { kind: 'edit'; of: RemarkKind; id: string }
) & { /** Its sheet is put away for now. */ isAway?: boolean }

/** A passage is an object, so that the same words can be asked for twice. */
export type Passage = { text: string }

type Topic = { id: string; kind: ThreadKind; takesComments: boolean; floors: number; commentCount: number; author: { id: string } }

export type List = Output<typeof listComments>

/** What the reader's tools change of a thread. They come after the text. */
export type Tools = {
  /** Shows the comments where the reader wants them otherwise than page by page and floor by floor. */
  List: ComponentType<{ list: List }> | null
  /** What stands above a comment, such as where the new ones begin. */
  above: (comment: CommentView) => ReactNode
  /** The replies to a comment in the order in which they are shown, and how far in. */
  order: (replies: readonly ReplyView[]) => { reply: ReplyView; depth: number }[]
}

export type Desk = {
  topic: Topic
  mine: Output<typeof myThread> | null
  writing: Writing | null
  write: (writing: Writing | null) => void
  tools: Tools | null
  /** What one may do with what others wrote; null until it is here. */
  deeds: typeof import('#comment/web/deeds.tsx') | null
  /** The answer that solved the question. It stands above the others on the first page, where it is known by then. */
  bestId: string | null
  best: CommentView | null
  /** What one may do with an answer beside that. */
  deedsFor: ComponentType<{ comment: CommentView }> | null
}

/** What one writes on with: what was put away, else a comment. */
export function writingOn(writing: Writing | null): Writing {
  return writing?.isAway ? { ...writing, isAway: false } : { kind: 'comment', quotes: null }
}

export const DeskContext = createContext<Desk | null>(null)

// Whoever comes back to a thread finds it as high as it was.
let deedsHere: Desk['deeds'] = null

async function bringDeeds(): Promise<NonNullable<Desk['deeds']>> {
  deedsHere = await idlePart(import('#comment/web/deeds.tsx'))
  return deedsHere
}

type Props = Pick<Desk, 'topic' | 'mine'> & Partial<Pick<Desk, 'bestId' | 'deedsFor'>> & { list: List; children: ReactNode }

/** Where comments and replies are written: what I may do here, and what is open. And where one reads, with the tools for it. */
export function ThreadDesk({ topic, mine, bestId = null, deedsFor = null, list, children }: Props) {
  const best = list.best ?? list.comments.find(({ id }) => id === bestId) ?? null
  const [writing, write] = useState<Writing | null>(null)
  const [tools, setTools] = useState<Tools | null>(null)
  const isIdle = useIdle()
  const reading = useIdlePart(() => import('#comment/web/reading/reading.tsx'), isIdle)
  const come = useIdlePart(bringDeeds, isIdle || mine !== null)
  const deeds = come ?? (mine && deedsHere)
  const { hash } = useLocation()
  const goOn = useLater(() => import('#comment/web/go-on.tsx'), mine !== null && hash.startsWith('#write'))
  return (
    <DeskContext value={{ topic, mine, bestId, best, deedsFor, writing, write, tools, deeds }}>
      {children}
      {reading && <reading.Reading list={list} setTools={setTools} />}
      {goOn && mine && <goOn.GoOn list={list} />}
    </DeskContext>
  )
}

export function useDesk(): Desk {
  const desk = useContext(DeskContext)
  if (!desk) throw new Error('Comments are written on a desk')
  return desk
}

type BestFirst = (comments: readonly CommentView[], page: number, firstShown?: number) => readonly CommentView[]

/** Puts the best answer above all others where the first page is shown, in whatever order, and nowhere else there. */
export function useBestFirst(): BestFirst {
  const { bestId, best: known } = useDesk()
  const [query] = useSearchParams()
  const isPart = query.get('onlyAuthor') === 'true'
  return (comments, page, firstShown = page) => {
    const best = known ?? comments.find(({ id }) => id === bestId)
    if (!best || isPart || firstShown > 1) return comments
    const others = comments.filter(({ id }) => id !== best.id)
    return page === 1 ? [best, ...others] : others
  }
}
