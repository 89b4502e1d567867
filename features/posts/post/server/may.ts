import { isMember, type Member, type Viewer } from '#base/server/http/route.ts'
import { traits, type Kind, type ThreadKind } from '#kind/contract.ts'

type Thread = { kind: ThreadKind; tagId: string; authorId: string; status: 'pending' | 'published' | 'deleted'; isWithdrawn: boolean }
type Post = { kind: Kind; authorId: string; thread: Thread }

/** Pending threads are visible to their author only; removed ones to no member. */
export function mayView(viewer: Viewer, { tagId, status, authorId }: Omit<Thread, 'kind' | 'isWithdrawn'>): boolean {
  if (!viewer.may('tag.view', tagId)) return false
  return status === 'published' || (status === 'pending' && viewer.id === authorId)
}

/** Whether the viewer may post in a thread, apart from whether it takes comments at all. */
export function mayPost(viewer: Viewer, kind: Kind, thread: Omit<Thread, 'authorId' | 'isWithdrawn'>): boolean {
  return isMember(viewer) && thread.status === 'published' && viewer.may(traits[thread.kind][kind].rights.post, thread.tagId)
}

/** Staff may comment on a closed thread, to explain why. */
export function mayPostNow(viewer: Viewer, { takesComments }: { takesComments: boolean }): boolean {
  return takesComments || viewer.staff !== undefined
}

export function mayEdit(viewer: Viewer, { kind, authorId, thread }: Post): boolean {
  if (!isMember(viewer) || !mayView(viewer, thread) || (kind === 'topic' && thread.isWithdrawn)) return false
  const { rights } = traits[thread.kind][kind]
  return viewer.may('content.edit.any', thread.tagId) || (viewer.id === authorId && viewer.may(rights.edit, thread.tagId))
}

export function mayRemove(viewer: Viewer, { kind, authorId, thread }: Post): boolean {
  if (!isMember(viewer) || !mayView(viewer, thread)) return false
  const { rights } = traits[thread.kind][kind]
  return (
    viewer.may('content.remove.any', thread.tagId) ||
    (viewer.id === authorId && !(kind === 'topic' && thread.isWithdrawn) && viewer.may(rights.remove, thread.tagId))
  )
}

/** Whether the viewer may see the thread of a post of theirs that they deleted. */
export function seeThread(viewer: Viewer, { kind, thread }: Post): boolean {
  return kind === 'topic' ? viewer.may('tag.view', thread.tagId) : mayView(viewer, thread) && thread.status === 'published'
}

/** Whether the viewer may restore the post, which needs the same right as a new one. */
export function restore(viewer: Viewer, { kind, thread }: Post): boolean {
  return viewer.may(traits[thread.kind][kind].rights.post, thread.tagId)
}

/** Whether the member may edit or remove posts of others in any tag. */
export function mayChangeOthers(member: Member): boolean {
  return (['content.edit.any', 'content.remove.any'] as const).some((right) => {
    const scope = member.where(right)
    return 'except' in scope || scope.only.length > 0
  })
}
