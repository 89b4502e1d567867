import { isMember, type Viewer } from '#base/server/http/route.ts'
import type * as posts from '#post/server/post.ts'

type Poll = { thread: Pick<posts.Thread, 'authorId' | 'tagId' | 'status' | 'takesComments'>; isEnded: boolean; isOn: boolean }

/** Whether the thread and the poll take votes now, from members with the right. */
export function takesVotes({ thread, isEnded, isOn }: Poll): boolean {
  return isOn && !isEnded && thread.status === 'published' && thread.takesComments
}

export function vote(viewer: Viewer, poll: Poll): boolean {
  return isMember(viewer) && takesVotes(poll) && viewer.may('poll.vote', poll.thread.tagId)
}

export function edit(viewer: Viewer, { thread, isEnded, isOn }: Poll): boolean {
  return isOn && !isEnded && isMember(viewer) && viewer.id === thread.authorId && viewer.may('poll.add', thread.tagId)
}

/** Authors may end their poll whatever they may do otherwise. */
export function end(viewer: Viewer, { thread, isEnded }: Pick<Poll, 'thread' | 'isEnded'>): boolean {
  return !isEnded && isMember(viewer) && viewer.id === thread.authorId
}
