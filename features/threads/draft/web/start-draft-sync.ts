import { member } from '#account/web/account.tsx'
import type { Api } from '#base/contract.ts'
import { syncDrafts, type DraftSyncer } from '#base/editor/draft-store.ts'
import { draftStates } from '#base/editor/draft-state.ts'
import { serverPlace } from '#draft/web/local-draft.ts'
import { begin, change, choose, push, pushNow, open, restart, type DraftSync } from '#draft/web/draft-sync.ts'

/** Saves a member's drafts to the server when typing pauses, and loads those of other devices and tabs. */
export function startDraftSync(api: Api): void {
  const syncs = new Map<string, DraftSync>()
  const all = () => [...syncs.values()]

  function syncOf(draftKey: string): DraftSync | null {
    const place = serverPlace(draftKey, member.get()?.userId)
    if (place === null) return null
    const sync = syncs.get(draftKey) ?? begin(api, draftKey, place)
    syncs.set(draftKey, sync)
    return sync
  }

  function withSync(action: (sync: DraftSync) => void): (draftKey: string) => void {
    return (draftKey) => {
      const sync = syncOf(draftKey)
      if (sync) action(sync)
    }
  }

  const syncer: DraftSyncer = {
    opened: withSync((sync) => void open(sync)),
    changed: withSync(change),
    changedElsewhere: withSync(restart),
    choose: (draftKey, which) => withSync((sync) => choose(sync, which))(draftKey),
  }
  addEventListener('online', () => all().forEach(pushNow))
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) all().forEach(pushNow)
    else for (const sync of all()) if (draftStates.get().get(sync.draftKey)?.why) void push(sync)
  })
  let was = member.get()
  member.watch(() => {
    if (!was && member.get()) syncDrafts(syncer)
    was = member.get()
  })
  syncDrafts(syncer)
}
