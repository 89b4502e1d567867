import { useApi } from '#base/web/api.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { useWords } from '#base/web/words.tsx'
import type { remove } from '#message/contract.ts'
import { announceChange } from '#message/web/use-list.ts'
import { loadCounts } from '#notification/web/notification.tsx'
import type { AuthorView } from '#user/contract.ts'

type All = {
  of: Pick<AuthorView, 'id' | 'name'>
  /** The latest message at the time of the click: later ones stay. */ upTo: string
}

/** Confirms the deletion of one's own side of a conversation. */
export function useDeleteAll(): (all: All) => Promise<boolean> {
  const words = useWords('message')
  const api = useApi()
  const { run } = useAction<typeof remove>('/user/control/deletePrivateMessage')
  return async ({ of: { id: userId, name }, upTo }) => {
    if (!(await confirm(words('deleteAllQuestion', { name }), words('delete')))) return false
    if ((await run({ userId, upTo }, { onSuccess: () => announceChange({ gone: userId }), message: words('deletedAll') })) === undefined)
      return false
    await loadCounts(api)
    return true
  }
}
