import { answerConfirm, siteNotice, confirmRequest } from '#base/web/dialogs.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/dialog.module.css'

export function Dialogs() {
  return (
    <>
      <Confirmation />
      <NoticeDialog />
    </>
  )
}

function Confirmation() {
  const words = useWords('site')
  const request = confirmRequest.use()
  return (
    <Dialog title={request?.title ?? ''} isOpen={request !== null} close={() => answerConfirm(false)}>
      <p className={css.actions}>
        <button type="button" className="button quiet" data-first onClick={() => answerConfirm(false)}>
          {request?.cancelLabel ?? words('cancel')}
        </button>
        <button type="button" className={request?.tone === 'gives' ? 'button' : 'button danger'} onClick={() => answerConfirm(true)}>
          {request?.action}
        </button>
      </p>
    </Dialog>
  )
}

function NoticeDialog() {
  const notice = siteNotice.use()
  return (
    <Dialog title={notice?.title ?? ''} isOpen={notice !== null} close={() => siteNotice.set(null)}>
      <p className={css.text}>{notice?.text}</p>
    </Dialog>
  )
}
