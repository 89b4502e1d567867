import type { Api } from '#base/contract.ts'
import type { Lock } from '#base/rich-text/document.ts'
import type { myHidden, myMeans } from '#hidden-part/contract.ts'
import type { RevealedParts } from '#hidden-part/web/hidden-part.tsx'

type Post = { segments: readonly { hidden?: { id: string; lock: Lock } | undefined }[] }

const locksWithCost: ReadonlySet<Lock> = new Set(['level', 'points', 'balance'])

/** The hidden parts of a page that a member sees, and the funds to open the others. */
export async function loadRevealed(api: Api, topicId: string, posts: readonly Post[]): Promise<RevealedParts> {
  const hidden = posts.flatMap(({ segments }) => segments.flatMap((segment) => segment.hidden ?? []))
  if (hidden.length === 0) return null
  try {
    const { parts } = await api.read<typeof myHidden>('/topic/hidden', { topicId }, { silent: true })
    const needsFunds = hidden.some(({ id, lock }) => locksWithCost.has(lock) && parts.every((part) => part.id !== id))
    return { parts, funds: needsFunds ? await api.read<typeof myMeans>('/hiddenPart/means', {}, { silent: true }) : null }
  } catch (error) {
    // The thread is readable without them.
    console.info('What is hidden could not be asked for', error)
    return 'failed'
  }
}
