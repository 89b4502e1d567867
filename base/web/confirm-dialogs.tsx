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
  const asked = confirmRequest.use()
  return (
    <Dialog title={asked?.title ?? ''} isOpen={asked !== null} close={() => answerConfirm(false)}>
      <p className={css.actions}>
        <button type="button" className="button quiet" data-first onClick={() => answerConfirm(false)}>
          {asked?.cancelLabel ?? words('cancel')}
        </button>
        <button type="button" className={asked?.tone === 'gives' ? 'button' : 'button danger'} onClick={() => answerConfirm(true)}>
          {asked?.action}
        </button>
      </p>
    </Dialog>
  )
}

function NoticeDialog() {
  const said = siteNotice.use()
  return (
    <Dialog title={said?.title ?? ''} isOpen={said !== null} close={() => siteNotice.set(null)}>
      <p className={css.text}>{said?.text}</p>
    </Dialog>
  )
}
