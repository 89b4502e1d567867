import { useState } from 'react'
import { useLocation } from 'react-router'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { stay } from '#leaving/contract.ts'
import { userInfoVersion } from '#setting/web/setting.tsx'

const storageKey = 'stayAsked'

/** Offers to stay to a member who asked for erasure, and logged in again: once per tab. */
export function StayDialog({ until }: { until: string }) {
  const words = useWords('leaving')
  const language = useLanguage()
  const { pathname } = useLocation()
  const [isOpen, setOpen] = useState(() => sessionStorage.getItem(storageKey) !== until)
  const staying = useAction<typeof stay>('/user/control/leave/stay')

  function close(): void {
    sessionStorage.setItem(storageKey, until)
    setOpen(false)
  }

  async function keep(): Promise<void> {
    if ((await staying.run({}, { message: words('stayed') })) === undefined) return
    close()
    userInfoVersion.set(userInfoVersion.get() + 1)
  }

  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(until))
  return (
    <Dialog title={words('stayAsk')} isOpen={isOpen && pathname !== '/user/control/leave'} close={close}>
      <p>{words('eraseAt', { until: day })}</p>
      <p className="actions">
        <button type="button" className="button quiet" onClick={close}>
          {words('leaveAnyway')}
        </button>
        <button type="button" className="button" disabled={staying.isBusy} onClick={() => void keep()}>
          {words('stay')}
        </button>
      </p>
    </Dialog>
  )
}
