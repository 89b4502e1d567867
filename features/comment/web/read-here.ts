type Fresh = { topicId: string; readTo: number; fresh: number }

/** How far one has read on this page, by topic: the server hears of it a little later. */
export const readHere = new Map<string, number>()

export function freshNow({ topicId, readTo, fresh }: Fresh): Fresh {
  const further = Math.max(0, (readHere.get(topicId) ?? 0) - readTo)
  return { topicId, readTo: readTo + further, fresh: fresh - further }
}
