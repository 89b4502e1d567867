import type { SelectedRows } from '#base/admin/selection.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { useWords } from '#base/web/words.tsx'
import type { removeNotices, restoreNotices, Row } from '#notification/staff-contract.ts'

type Props = { chosen: SelectedRows<Row>; onDone: () => void }

/** Removes announcements, or restores them. */
export function BatchActions({ chosen: { rows, count, isLowerBound, which }, onDone }: Props) {
  const words = useWords('notificationAdmin')
  const remove = useAction<typeof removeNotices>('/admin/notice/remove')
  const restore = useAction<typeof restoreNotices>('/admin/notice/restore')
  const isRemoved = rows.some(({ state }) => state === 'removed')

  async function takeOff(): Promise<void> {
    if (!(await confirm(words('removeAsk', { count, more: isLowerBound ? 'yes' : 'no' }), words('remove')))) return
    if (await remove.run(which)) onDone()
  }

  async function putBack(): Promise<void> {
    if (await restore.run(which)) onDone()
  }

  const { isBusy } = isRemoved ? restore : remove
  return (
    <button type="button" className="button quiet" disabled={isBusy} onClick={() => void (isRemoved ? putBack() : takeOff())}>
      {words(isRemoved ? 'restore' : 'remove')}
    </button>
  )
}
