import { member } from '#account/web/account.tsx'
import type { Api } from '#base/contract.ts'
import { setSrcLookup } from '#base/editor/picture-src.ts'
import { tabName } from '#base/web/tab-name.ts'
import { isDrafting } from '#base/editor/drafting.ts'
import { idlePart, later } from '#base/web/lazy-part.ts'

/** Loads the parts for members: restricted pictures, the outbox of messages, and the syncing of drafts once one is written. */
export function loadForMembers(api: Api): void {
  // Before the browser can copy it to a duplicated tab.
  tabName()
  const isMember = () => Boolean(member.get())
  const stop = member.watch(() => {
    if (!isMember()) return
    stop()
    const files = idlePart(import('#file/web/private-files.ts')).then(({ openPrivateFiles }) => openPrivateFiles(api, isMember))
    setSrcLookup(files)
    files.catch((error: unknown) => console.info('Pictures for few stay hidden', error))
    syncDraftsLater(api)
    idlePart(import('#message/web/send-out.ts')).then(
      ({ startOutbox }) => startOutbox(api),
      (error: unknown) => console.info('Messages wait for another page', error),
    )
  })
}

function syncDraftsLater(api: Api): void {
  let isComing = false
  function bring(): void {
    if (isComing || !isDrafting.get()) return
    isComing = true
    later(import('#draft/web/start-draft-sync.ts')).then(
      ({ startDraftSync }) => startDraftSync(api),
      (error: unknown) => console.info('Drafts stay on this device', error),
    )
  }
  isDrafting.watch(bring)
  bring()
}
