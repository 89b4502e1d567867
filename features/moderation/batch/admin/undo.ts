import { useActionName } from '#audit/admin/audit.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import type { BatchView, undoBatch } from '#batch/contract.ts'

export type UndoResult = Output<typeof undoBatch>

/** Undoes a batch after a confirmation; skipped items are shown. A large one shows its progress. */
export function useUndo(show: (result: UndoResult) => void) {
  const words = useWords('batchAdmin')
  const nameOf = useActionName()
  const undo = useAction<typeof undoBatch>('/admin/batch/undo')
  return {
    isBusy: undo.isBusy,
    async take({ id: batchId, action, done, undoneAt, left, state }: BatchView): Promise<void> {
      const doing = nameOf(action)
      const asks =
        state === 'doing' ? words('stopAsk', { action: doing }) : words('undoAsk', { action: doing, count: undoneAt ? left : done })
      if (!(await confirm(asks, words(state === 'doing' ? 'stopAndUndo' : 'undo')))) return
      const answer = await undo.run({ batchId })
      if (!answer) return
      if (answer.left.length > 0) show(answer)
      else if (answer.batch.state === 'undone') toast(words('undone', { count: answer.batch.undone }))
    },
  }
}
