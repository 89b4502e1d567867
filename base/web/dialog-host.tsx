import { answerConfirm, siteNotice, confirmRequest } from '#base/web/dialogs.ts'
import { useLater } from '#base/web/lazy-part.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'

/** Renders confirmations and notices. Their dialogs are loaded with the first one. */
export function DialogHost() {
  const words = useWords('call')
  const isAsked = confirmRequest.use() !== null
  const notice = siteNotice.use()
  const dialogs = useLater(() => import('#base/web/confirm-dialogs.tsx'), isAsked || notice !== null, onLoadFailure)

  function onLoadFailure(): void {
    toast(notice ? notice.text : words('offline'), { isPersistent: notice !== null })
    siteNotice.set(null)
    answerConfirm(false)
  }

  return dialogs && <dialogs.Dialogs />
}
