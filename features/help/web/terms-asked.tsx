import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useApi } from '#base/web/api.ts'
import { useDeed } from '#base/web/deed.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import type { agreeToTerms, myTerms } from '#help/contract.ts'
import css from '#help/web/help.module.css'

const keptAs = 'termsAsked'
const termsPath = '/termsService'

/** Asks a member, once in a tab, to agree to terms that are newer than what they agreed to. */
export function TermsAsked({ memberId }: { memberId: string }) {
  const words = useWords('help')
  const { pathname } = useLocation()
  const { termsId, close } = useTerms(memberId)
  const agree = useDeed<typeof agreeToTerms>('/terms/agree')

  async function doAgree(): Promise<void> {
    if (!termsId || (await agree.go({ termsId })) === undefined) return
    close()
    say(words('agreed'))
  }

  return (
    <Dialog title={words('newTerms')} isOpen={termsId !== null && pathname !== termsPath} close={close}>
      <p>{words('newTermsWhat')}</p>
      <p>
        <a href={termsPath} target="_blank" rel="noopener">
          {words('readTerms')}
        </a>
      </p>
      <p className={css.deeds}>
        <button type="button" className="button quiet" onClick={close}>
          {words('notNow')}
        </button>
        <button type="button" className="button" data-first disabled={agree.isBusy} onClick={() => void doAgree()}>
          {words('agree')}
        </button>
      </p>
    </Dialog>
  )
}

function useTerms(memberId: string): { termsId: string | null; close: () => void } {
  const api = useApi()
  const [termsId, setTermsId] = useState<string | null>(null)
  useEffect(() => {
    if (sessionStorage.getItem(keptAs) === memberId) return
    api.read<typeof myTerms>('/terms/mine', {}, { silent: true, background: true }).then(
      ({ asks, termsId: newest }) => {
        sessionStorage.setItem(keptAs, memberId)
        if (asks) setTermsId(newest)
      },
      (error: unknown) => console.info('Nobody could say whether there are new terms', error),
    )
  }, [api, memberId])
  return { termsId, close: () => setTermsId(null) }
}
