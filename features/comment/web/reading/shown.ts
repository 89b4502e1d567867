import { storeOf } from '#base/web/store.ts'
import type { CommentView } from '#comment/contract.ts'
import type { List } from '#comment/web/desk.tsx'

/** The pages of comments that stand on the page. */
export const shown = storeOf<readonly List[]>([])

/** Which comment this is among all that are asked for, counted from the oldest; null when it is not on the page. */
export function positionOf(elementId: string, isReversed: boolean): number | null {
  for (const { comments, from, to } of shown.get()) {
    const index = comments.findIndex(({ id }) => `comment-${id}` === elementId)
    if (index >= 0) return isReversed ? to - index : from + index
  }
  return null
}

/** The comment at that place, where it is on the page. */
export function commentAt(position: number, isReversed: boolean): CommentView | null {
  for (const { comments, from, to } of shown.get()) {
    const comment = comments[isReversed ? to - position : position - from]
    if (comment) return comment
  }
  return null
}
