import { answerConfirm, siteNotice, confirmRequest } from '#base/web/dialogs.ts'
import { useLater } from '#base/web/lazy-part.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'

/** Renders confirmations and notices. Their dialogs are loaded with the first one. */
export function DialogHost() {
  const words = useWords('call')
  const isAsked = confirmRequest.use() !== null
  const told = siteNotice.use()
  const shown = useLater(() => import('#base/web/confirm-dialogs.tsx'), isAsked || told !== null, onLoadFailure)

  function onLoadFailure(): void {
    toast(told ? told.text : words('offline'), { isPersistent: told !== null })
    siteNotice.set(null)
    answerConfirm(false)
  }

  return shown && <shown.Dialogs />
}
