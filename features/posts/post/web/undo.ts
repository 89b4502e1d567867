import { useAction } from '#base/web/action.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import type { Kind } from '#kind/contract.ts'
import type { restorePost } from '#post/contract.ts'

const offeredMs = 10_000

/** Reports that a post of one's own was deleted, and offers to undo it; `then` opens the restored post. */
export function useUndo(): (post: { kind: Kind; id: string }, then?: () => void | Promise<void>) => void {
  const words = useWords('post')
  const restoring = useAction<typeof restorePost>('/user/control/restorePost')
  return (post, then) => {
    const close = toast(words('deleted'), { label: words('undo'), lastsMs: offeredMs, retry: () => void undo() })
    async function undo(): Promise<void> {
      close()
      if (await restoring.run(post, { message: words('restored') })) await then?.()
    }
  }
}
