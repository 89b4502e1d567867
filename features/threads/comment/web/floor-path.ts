import { threadPath, type ThreadKind } from '#kind/contract.ts'

/** The address of a comment, whatever its page. */
export function floorPath(topicId: string, commentId: string, kind?: ThreadKind): string {
  return `${threadPath(topicId, kind)}&commentId=${commentId}`
}
