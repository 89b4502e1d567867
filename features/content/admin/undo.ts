import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import type { undoBatch } from '#content/contract.ts'

export type Undone = Output<typeof undoBatch>
type Batch = { batchId: string; /** In words. */ deed: string; done: number }

/** Undoes a batch after asking; what was left alone is shown. */
export function useUndo(show: (undone: Undone) => void) {
  const words = useWords('contentAdmin')
  const undo = useDeed<typeof undoBatch>('/admin/batch/undo')
  return {
    isBusy: undo.isBusy,
    async take({ batchId, deed, done }: Batch): Promise<void> {
      if (!(await confirm(words('undoAsk', { deed, count: done }), words('undo')))) return
      const answer = await undo.go({ batchId })
      if (!answer) return
      if (answer.left.length > 0) show(answer)
      else say(words('undone', { count: answer.undone }))
    },
  }
}
