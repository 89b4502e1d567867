import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useApi } from '#base/web/api.ts'
import { termsChanged } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { inUse } from '#base/web/lazy-part.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { siteTime } from '#base/web/site-time.ts'
import type { agreeToTerms, myTerms } from '#help/contract.ts'
import css from '#help/web/help.module.css'

const storageKey = 'termsAsked'
const termsPath = '/termsService'

/** Asks a member to agree to new terms: once per tab, and after a call was refused for lack of it. */
export function TermsPrompt({ memberId }: { memberId: string }) {
  const words = useWords('help')
  const { pathname } = useLocation()
  const { termsId, by, close } = useTerms(memberId)
  const answer = useRef<HTMLButtonElement>(null)
  const agree = useAction<typeof agreeToTerms>('/terms/agree')

  async function doAgree(): Promise<void> {
    if (!termsId || (await agree.run({ termsId })) === undefined) return
    close()
    toast(words('agreed'))
  }

  return (
    <Dialog title={words('newTerms')} isOpen={termsId !== null && pathname !== termsPath} close={close}>
      <p>{words('newTermsWhat')}</p>
      <p>{by ? words('newTermsBy', { day: by }) : words('newTermsNow')}</p>
      <p>
        <a href={termsPath} target="_blank" rel="noopener" data-first onClick={() => answer.current?.focus()}>
          {words('readTerms')}
        </a>
      </p>
      <p className={css.actions}>
        <button type="button" className="button quiet" onClick={close}>
          {words('notNow')}
        </button>
        <button ref={answer} type="button" className="button" disabled={agree.isBusy} onClick={() => void doAgree()}>
          {words('agree')}
        </button>
      </p>
    </Dialog>
  )
}

function useTerms(memberId: string) {
  const api = useApi()
  const isNeeded = termsChanged.use()
  const [{ termsId, by }, setAsked] = useState<{ termsId: string | null; by: Date | null }>(noTermsDue)
  useEffect(() => {
    if (!isNeeded && sessionStorage.getItem(storageKey) === memberId) return
    inUse()
      .then(() => api.read<typeof myTerms>('/terms/mine', {}, { silent: true, background: true }))
      .then(
        ({ asks, by: until, termsId: newest }) => {
          sessionStorage.setItem(storageKey, memberId)
          if (asks) setAsked({ termsId: newest, by: futureDate(until) })
        },
        (error: unknown) => console.info('Nobody could say whether there are new terms', error),
      )
  }, [api, memberId, isNeeded])

  function close(): void {
    termsChanged.set(false)
    setAsked(noTermsDue)
  }

  return { termsId, by, close }
}

/** A date in the future. */
function futureDate(until: string | null): Date | null {
  const day = new Date(until ?? 0)
  return day.getTime() > siteTime() ? day : null
}

const noTermsDue = { termsId: null, by: null }
