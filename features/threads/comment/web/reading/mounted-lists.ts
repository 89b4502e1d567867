import { createStore } from '#base/web/store.ts'
import type { CommentView } from '#comment/contract.ts'
import type { CommentList } from '#comment/web/thread-context.tsx'

/** The lists of comments that are mounted. */
export const mountedLists = createStore<readonly CommentList[]>([])

/** The position of a comment in the whole list, counted from the oldest; null if it is not mounted. */
export function positionOf(elementId: string, isReversed: boolean): number | null {
  for (const { comments, from, to } of mountedLists.get()) {
    const index = comments.findIndex(({ id }) => `comment-${id}` === elementId)
    if (index >= 0) return isReversed ? to - index : from + index
  }
  return null
}

export function commentAt(position: number, isReversed: boolean): CommentView | null {
  for (const { comments, from, to } of mountedLists.get()) {
    const comment = comments[isReversed ? to - position : position - from]
    if (comment) return comment
  }
  return null
}
