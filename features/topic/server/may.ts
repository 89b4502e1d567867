import { isMember, type Viewer } from '#base/server/route.ts'

type Topic = { tagId: string; authorId: string; status: 'pending' | 'published' | 'deleted' }

/** Pending topics are seen by their author only; deleted ones by nobody. */
export function view(viewer: Viewer, topic: Topic): boolean {
  if (!viewer.may('topic.view', topic.tagId)) return false
  return topic.status === 'published' || (topic.status === 'pending' && viewer.id === topic.authorId)
}

export function edit(viewer: Viewer, topic: Topic): boolean {
  if (!isMember(viewer) || !view(viewer, topic)) return false
  return viewer.may('content.edit.any', topic.tagId) || (viewer.id === topic.authorId && viewer.may('topic.edit', topic.tagId))
}

export function remove(viewer: Viewer, topic: Topic): boolean {
  if (!isMember(viewer) || !view(viewer, topic)) return false
  return viewer.may('content.remove.any', topic.tagId) || (viewer.id === topic.authorId && viewer.may('topic.remove', topic.tagId))
}
