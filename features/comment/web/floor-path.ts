/** The way to one comment, whatever page of the thread it stands on. */
export function floorPath(topicId: string, commentId: string): string {
  return `/thread?topicId=${topicId}&commentId=${commentId}`
}
