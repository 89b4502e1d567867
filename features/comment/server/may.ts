import { isMember, type Member, type Viewer } from '#base/server/route.ts'
import type { Topic } from '#topic/server/topic.ts'

type Kind = 'comment' | 'reply'

/** Apart from whether the topic takes comments at all. */
export function post(viewer: Viewer, kind: Kind, topic: Topic): boolean {
  return isMember(viewer) && topic.status === 'published' && viewer.may(`${kind}.post`, topic.tagId)
}

/** Staff may say why they closed a topic. */
export function postNow(viewer: Viewer, topic: Topic): boolean {
  return topic.takesComments || viewer.staff !== undefined
}

export function edit(viewer: Viewer, kind: Kind, topic: Topic, authorId: string): boolean {
  return (
    isMember(viewer) && (viewer.may('content.edit.any', topic.tagId) || (viewer.id === authorId && viewer.may(`${kind}.edit`, topic.tagId)))
  )
}

export function remove(viewer: Viewer, kind: Kind, topic: Topic, authorId: string): boolean {
  return (
    isMember(viewer) &&
    (viewer.may('content.remove.any', topic.tagId) || (viewer.id === authorId && viewer.may(`${kind}.remove`, topic.tagId)))
  )
}

/** Whether there is any place where they may change what others wrote. */
export function changeOthers(member: Member): boolean {
  return (['content.edit.any', 'content.remove.any'] as const).some((right) => {
    const scope = member.where(right)
    return 'except' in scope || scope.only.length > 0
  })
}
