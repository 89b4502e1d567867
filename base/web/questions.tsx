import { answer, notice, question } from '#base/web/ask.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/dialog.module.css'

export function Questions() {
  return (
    <>
      <Confirmation />
      <NoticeDialog />
    </>
  )
}

function Confirmation() {
  const words = useWords('site')
  const asked = question.use()
  return (
    <Dialog title={asked?.title ?? ''} isOpen={asked !== null} close={() => answer(false)}>
      <p className={css.deeds}>
        <button type="button" className="button quiet" data-first onClick={() => answer(false)}>
          {asked?.stay ?? words('cancel')}
        </button>
        <button type="button" className={asked?.way === 'gives' ? 'button' : 'button danger'} onClick={() => answer(true)}>
          {asked?.deed}
        </button>
      </p>
    </Dialog>
  )
}

function NoticeDialog() {
  const said = notice.use()
  return (
    <Dialog title={said?.title ?? ''} isOpen={said !== null} close={() => notice.set(null)}>
      <p className={css.text}>{said?.text}</p>
    </Dialog>
  )
}
