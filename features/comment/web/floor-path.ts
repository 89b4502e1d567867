import { threadPath, type ThreadKind } from '#kind/contract.ts'

/** The way to one comment, whatever page of the thread it stands on. */
export function floorPath(topicId: string, commentId: string, kind?: ThreadKind): string {
  return `${threadPath(topicId, kind)}&commentId=${commentId}`
}
